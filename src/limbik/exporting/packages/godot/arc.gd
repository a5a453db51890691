@tool
## A chain of any number of links along a circular arc, from the length of its chord: links and chord are the sides of a
## polygon inscribed in a circle. It is unique and convex, so that all joints bend one way.
class_name LimbikArc
extends RefCounted

const STEPS := 200  # more than bisection needs

## Of each link's far end: along the chord, and beside it.
var along := PackedFloat64Array()
var aside := PackedFloat64Array()

var _ratios := PackedFloat64Array()


## Fills `along` and `aside`. lengths: of the links; chord: the distance asked for.
func solve(lengths: PackedFloat64Array, chord: float) -> void:
	var count := lengths.size()
	var longest := 0.0
	for length in lengths:
		longest = maxf(longest, length)
	var total := 0.0
	_ratios.resize(count)
	for k in count:
		_ratios[k] = lengths[k] / longest
		total += _ratios[k]
	var q := _find(clampf(chord / longest, maxf(2.0 - total, 0.0), total), total)
	var x := 1.0 - q
	var y := q * (2.0 - q)
	var parts := PackedFloat64Array()
	parts.resize(count)
	along.resize(count)
	aside.resize(count)
	var p := 1.0
	var reached := 0.0
	for k in count:
		var cosine := _cosine(_ratios[k], x)
		var next := p * cosine - y * _ratios[k] * reached
		reached = reached * cosine + p * _ratios[k]
		p = next
		parts[k] = p
		along[k] = reached
	for k in count:
		var near := along[k]
		aside[k] = longest * near * ((reached * parts[k] - p * near) * sqrt(y))
		along[k] = longest * near * (p * parts[k] + y * reached * near)


# The cosine of the inscribed angle of a link: of the longest it is negative where it is seen under more than a right angle.
func _cosine(ratio: float, x: float) -> float:
	return x if ratio >= 1.0 else sqrt((1.0 - ratio) * (1.0 + ratio) + ratio * x * (ratio * x))


# The chord for q = 1 - cos of the inscribed angle of the longest link.
func _chord(q: float) -> float:
	var x := 1.0 - q
	var y := q * (2.0 - q)
	var p := 1.0
	var reached := 0.0
	for ratio in _ratios:
		var cosine := _cosine(ratio, x)
		var next := p * cosine - y * ratio * reached
		reached = reached * cosine + p * ratio
		p = next
	return reached


# The root of a function that decreases with q: false position (Illinois), which keeps the root between its ends.
func _find(wanted: float, total: float) -> float:
	var low := 0.0
	var above := total - wanted
	if above <= 0.0:
		return 0.0
	var high := 2.0
	var below := _chord(2.0) - wanted
	if below >= 0.0:
		return 2.0
	var side := 0
	for step in STEPS:
		if high - low <= 4e-16 * high:
			break
		var q := (low * below - high * above) / (below - above)
		if step % 3 == 2:
			q = 0.5 * (low + high)
		var excess := _chord(q) - wanted
		if excess == 0.0:
			return q
		if excess > 0.0:
			low = q
			above = excess
			if side > 0:
				below *= 0.5
			side = 1
		else:
			high = q
			below = excess
			if side < 0:
				above *= 0.5
			side = -1
	return low if absf(_chord(low) - wanted) < absf(_chord(high) - wanted) else high

import { Matrix4, Quaternion, Vector3 } from "three";

const UPRIGHT = 0.35; // radians: a leg that is this close to an axis of the space where it was skinned stands along it
const SECTION = 0.25; // of the foot's length: heel, ball and tip are as low as the lowest point this near
const HEEL_BEHIND = 0.3; // of the way from ankle to toes, where there is no skin
const TIP_AHEAD = 1.5; // likewise
const BALL = 0.7; // of the way from heel to tip, where the toes have no bone
const ANKLE_HEIGHT = 0.09; // of the leg's length, where nothing tells
const HIGHEST_ANKLE = 0.25;

const PITCHES = [-1.1, -0.8, -0.5, -0.35, -0.2, -0.1, 0, 0.1, 0.2, 0.35, 0.5, 0.8, 1.1]; // radians: tilts of a foot
const PARTS = [[0, 0.2], [0.2, 0.8], [0.8, 1]]; // by the share that the toes' bone has
const WHOLE = 0.9; // the weight from which on a vertex goes with the foot alone
const ROLLS = [-0.5, -0.25, -0.1, 0, 0.1, 0.25, 0.5];

const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]].map((axis) => new Vector3(...axis));

/**
 * The sole of a foot, measured once: from the character's skin, or from its bones at rest where it has none. `points` are those on
 * which the foot can rest, however it is tilted; the first three are heel, ball and tip. Each goes with the ankle, or by its share
 * with the toes.
 */
export class Sole {
  constructor(rig, hip, ankle, toes) {
    this.ankle = ankle;
    this.toes = toes;
    const measured = foot(skinOf(rig, hip, ankle, toes) ?? bonesOf(hip, ankle, toes));
    const { ahead, up, sections, points = [], toToes } = measured;
    const ends = Object.entries(sections).map(([name, { far, low }]) => {
      const place = ahead.clone().multiplyScalar(far).addScaledVector(up, low);
      return { place, share: name === "tip" && toes ? 1 : 0 };
    });
    this.points = [...ends, ...lowest(points, ahead, up)].map(({ place, share }) => {
      return { onAnkle: place, onToes: toes ? place.clone().applyMatrix4(toToes) : place, share };
    });
  }

  /** Where a point is in the rig's space. */
  locate(point, into) {
    if (point.share < 1) carry(point.onAnkle, this.ankle, into);
    if (point.share > 0) into.lerp(carry(point.onToes, this.toes, point.share < 1 ? other : into), point.share);
    return into;
  }
}

const other = new Vector3();

function carry(place, joint, into) {
  return into.copy(place).multiplyScalar(joint.scale).applyQuaternion(joint.rotation).add(joint.position);
}

// The points that are the lowest ones when the foot is tilted some way or other, of the toes, of the rest and in between.
function lowest(points, ahead, up) {
  const across = new Vector3().crossVectors(up, ahead);
  const found = new Set();
  for (const [from, to] of PARTS) {
    const part = points.filter(({ share, whole }) => whole && share >= from && share <= to);
    for (const pitch of PITCHES) {
      for (const roll of ROLLS) {
        const down = up.clone().multiplyScalar(-1).addScaledVector(ahead, Math.tan(pitch)).addScaledVector(across, Math.tan(roll));
        let best = null;
        for (const point of part) if (!best || point.place.dot(down) > best.place.dot(down)) best = point;
        if (best) found.add(best);
      }
    }
  }
  return found;
}

// Directions ahead and up in the ankle's frame, and how far ahead and how low heel, ball and tip are.
function foot({ points, up, toes, sections, toToes }) {
  const ahead = toes ? toes.clone() : points.reduce((sum, { place }) => sum.add(place), new Vector3());
  ahead.addScaledVector(up, -ahead.dot(up)).normalize();
  if (sections) return { ahead, up, sections, toToes };
  const along = points.map(({ place }) => ({ far: place.dot(ahead), height: place.dot(up) }));
  const ends = along.map(({ far }) => far);
  const [first, last] = [ends.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))];
  const near = SECTION * (last - first);
  const floor = (far) => along.reduce((low, one) => (Math.abs(one.far - far) <= near ? Math.min(low, one.height) : low), Infinity);
  const ball = toes ? toes.dot(ahead) : first + BALL * (last - first);
  const found = { heel: first, ball: Math.min(Math.max(ball, first), last), tip: last };
  const measured = Object.entries(found).map(([name, far]) => [name, { far, low: floor(far) }]);
  return { ahead, up, toToes, points, sections: Object.fromEntries(measured) };
}

// The vertices of a foot in the ankle's frame, as it was when the character was skinned.
function skinOf(rig, hip, ankle, toes) {
  const points = [];
  let found = null;
  rig.root.traverse((mesh) => {
    if (!mesh.isSkinnedMesh) return;
    const { bones, boneInverses } = mesh.skeleton;
    const numbers = [hip, ankle, toes].map((joint) => (joint ? bones.indexOf(joint.object) : -1));
    if (numbers[0] < 0 || numbers[1] < 0) return;
    const toAnkle = boneInverses[numbers[1]];
    const belongs = (top) => {
      return bones.map((bone) => {
        const joint = rig.byObject.get(bone);
        return joint !== undefined && joint.index >= top.index && joint.index < top.end;
      });
    };
    const below = belongs(ankle);
    const toe = toes ? belongs(toes) : bones.map(() => false);
    found ??= frames(boneInverses, numbers);
    const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
    for (let k = 0; k < position.count; k++) {
      let weight = 0;
      let ofToes = 0;
      for (let j = 0; j < 4; j++) {
        const bone = skinIndex.getComponent(k, j);
        if (below[bone]) weight += skinWeight.getComponent(k, j);
        if (toe[bone]) ofToes += skinWeight.getComponent(k, j);
      }
      if (weight < 0.5) continue;
      const place = new Vector3().fromBufferAttribute(position, k).applyMatrix4(mesh.bindMatrix).applyMatrix4(toAnkle);
      points.push({ place, share: ofToes / weight, whole: weight > WHOLE });
    }
  });
  return points.length > 8 ? { points, ...found } : null;
}

// Up, the toes' place and the way to the toes' frame, in the frame that the ankle had when the character was skinned.
function frames(boneInverses, [hip, ankle, toes]) {
  const place = (k) => new Vector3().setFromMatrixPosition(new Matrix4().copy(boneInverses[k]).invert());
  const up = place(hip).sub(place(ankle)).normalize();
  const nearest = AXES.reduce((best, axis) => (axis.dot(up) > best.dot(up) ? axis : best));
  if (nearest.angleTo(up) < UPRIGHT) up.copy(nearest);
  up.transformDirection(boneInverses[ankle]);
  if (toes < 0) return { up, toes: null, toToes: null };
  const toToes = new Matrix4().copy(boneInverses[ankle]).invert().premultiply(boneInverses[toes]);
  return { up, toes: place(toes).applyMatrix4(boneInverses[ankle]), toToes };
}

// A guess from the bones as they are now: a figure that stands on the level of its rig's origin.
function bonesOf(hip, ankle, toes) {
  const back = new Quaternion().copy(ankle.rotation).invert();
  const up = new Vector3(0, 1, 0);
  const length = hip.position.distanceTo(ankle.position);
  const height = ankle.position.y;
  const low = height > 0 && height < HIGHEST_ANKLE * length ? height : ANKLE_HEIGHT * length;
  const way = toes ? new Vector3().subVectors(toes.position, ankle.position) : new Vector3(0, 0, 0.15 * length);
  way.addScaledVector(up, -way.dot(up));
  const far = way.length() / ankle.scale;
  const places = { heel: -HEEL_BEHIND * far, ball: far, tip: TIP_AHEAD * far };
  const sections = Object.entries(places).map(([name, one]) => [name, { far: one, low: -low / ankle.scale }]);
  const matrixOf = (joint) => new Matrix4().compose(joint.position, joint.rotation, new Vector3().setScalar(joint.scale));
  const toToes = toes ? matrixOf(ankle).premultiply(matrixOf(toes).invert()) : null;
  return { up: up.applyQuaternion(back), toes: way.applyQuaternion(back), sections: Object.fromEntries(sections), toToes };
}

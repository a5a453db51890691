// Recorded walks over slopes and stairs: how far the skin of standing feet is from the ground, and how bones turn.
// Which feet stand is decided from the skin of the animation alone. Run: node recordings.js CLIP.glb KIND…
import { Actor, FootSkin, groundOf, largestTurn, load } from "./stage.js";

const LOW = 0.015; // metres, and metres a second: a foot stands
const SLOW = 0.3;
const SETTLED = 9; // frames

async function walk(file, kind, place, level) {
  const gltf = await load(file);
  const actor = new Actor(gltf, groundOf(kind), { place });
  if (place) actor.feet.level = level;
  const skins = ["leftFoot", "rightFoot"].map((name) => new FootSkin(gltf.scene, actor.bones[name]));
  const frames = [];
  let [turn, before] = [0, null];
  for (let frame = 0; frame < Math.floor(actor.action.getClip().duration * 60) - 1; frame++) {
    actor.step();
    const pose = actor.pose();
    if (frame > 1) turn = Math.max(turn, largestTurn(before, pose));
    before = pose;
    frames.push(skins.map((skin) => skin.points()));
  }
  return { frames, turn };
}

const [file, ...kinds] = process.argv.slice(2);
const calm = await walk(file, "slope:0", false);
const lows = calm.frames.map((feet) => Math.min(...feet.flat().map((point) => point.y))).sort((a, b) => a - b);
const level = lows[Math.floor(0.3 * lows.length)];
for (const kind of kinds) {
  const walked = await walk(file, kind, true, level);
  const { height } = groundOf(kind);
  const cosine = kind.startsWith("slope") ? Math.cos((Number(kind.split(":")[1]) * Math.PI) / 180) : 1;
  let [standing, worst, slide] = [0, 0, 0];
  for (const side of [0, 1]) {
    let since = 0;
    for (let frame = 1; frame < calm.frames.length; frame++) {
      const [now, before] = [calm.frames[frame][side], calm.frames[frame - 1][side]];
      const lowest = now.reduce((best, point, k) => (point.y < now[best].y ? k : best), 0);
      const stands = now[lowest].y - level < LOW && now[lowest].distanceTo(before[lowest]) * 60 < SLOW;
      since = stands ? since + 1 : 0;
      if (since <= SETTLED) continue;
      standing++;
      const above = walked.frames[frame][side].map((point) => (point.y - height(point.x, point.z)) * cosine);
      worst = Math.max(worst, Math.abs(Math.min(...above)));
      const touching = above.indexOf(Math.min(...above));
      slide = Math.max(slide, walked.frames[frame][side][touching].distanceTo(walked.frames[frame - 1][side][touching]));
    }
  }
  console.log(JSON.stringify({ kind, standing, worst, slide, turn: walked.turn / calm.turn }));
}

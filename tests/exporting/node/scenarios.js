// What a character meets in a game, one scenario after another. Prints a JSON object with what happened in each.
// Run: node scenarios.js CHARACTER.glb
import * as THREE from "three";
import { Chain, FootPlacement, FullBody, Ground, LookAt, Rig, SpringChain, TwoBoneLimb } from "limbik-ik/three";
import { Actor, groundOf, largestTurn, load } from "./stage.js";

const file = process.argv[2];
const results = {};
const actor = async (kind, options) => new Actor(await load(file), groundOf(kind, options?.size), options);
const worldOf = (bone) => bone.getWorldPosition(new THREE.Vector3());

/** Runs frames; the largest turn of a bone in a frame, and the largest move of an ankle. */
function run(one, frames, each = () => {}) {
  let turn = 0;
  let move = 0;
  let before = one.lastPose;
  let ankles = one.lastAnkles;
  for (let k = 0; k < frames; k++) {
    each(k);
    one.step();
    const pose = one.pose();
    const now = [one.bones.leftFoot, one.bones.rightFoot].map((bone) => worldOf(bone).sub(one.root.position));
    if (before && ankles) {
      turn = Math.max(turn, largestTurn(before, pose));
      move = Math.max(move, ...now.map((place, side) => place.distanceTo(ankles[side])));
    }
    [before, ankles] = [pose, now];
  }
  [one.lastPose, one.lastAnkles] = [before, ankles];
  return { turn, move };
}

const same = (a, b) => a.every((value, k) => Object.is(value, b[k]) || value === b[k]);
const furthest = (a, b) => Math.max(...a.map((value, k) => Math.abs(value - b[k])));

// What the animation alone does in a frame.
const alone = await actor("slope:0", { place: false });
results.animation = run(alone, 150);

// Weight 0 is the animation, bit for bit; weight 0.5 held for 100 frames creeps nowhere.
{
  const [plain, posed] = [await actor("slope:12", { place: false }), await actor("slope:12", { weight: 0 })];
  const names = ["LeftArm", "LeftForeArm", "LeftHand"];
  const target = new THREE.Vector3(0.4, 1.2, 0.6);
  const arm = posed.rig.add(new TwoBoneLimb(names, { target, pole: new THREE.Vector3(2, 0, 0), soften: 0.8, weight: 0 }));
  const look = posed.rig.add(new LookAt("Head", { target, weight: 0 }));
  const tail = posed.rig.add(new SpringChain(["Neck", "Neck1"], { weight: 0 }));
  let exact = true;
  for (let k = 0; k < 60; k++) {
    plain.step();
    posed.step();
    exact &&= same(plain.pose(), posed.pose());
  }
  results.weightZero = exact;
  for (const one of [arm, look, tail, posed.feet]) one.weight = 0.5;
  posed.animate = () => {}; // no animator writes any more
  plain.animate = () => {};
  for (let k = 0; k < 100; k++) posed.step();
  const early = posed.pose();
  for (let k = 0; k < 100; k++) posed.step();
  results.creep = furthest(early, posed.pose());
  for (const one of [arm, look, tail, posed.feet]) one.enabled = false;
  posed.step();
  plain.step();
  results.disabled = same(plain.pose(), posed.pose());
  posed.rig.remove(arm);
  for (const one of [look, tail, posed.feet]) one.enabled = true;
  posed.step();
  posed.rig.remove(look);
  posed.rig.remove(tail);
  posed.rig.remove(posed.feet);
  results.removed = same(plain.pose(), posed.pose());
}

// Teleports: the pelvis stays where it is over the feet, and so do the legs.
results.teleport = {};
for (const far of [0.5, 1.5, 10]) {
  const one = await actor("slope:0");
  run(one, 40);
  one.shift.set(far, 0, 0);
  const { turn, move } = run(one, 1);
  const after = run(one, 60);
  results.teleport[far] = { turn, move, after: after.turn, dropped: one.feet.dropped };
}

// Disabled in the middle of a step, enabled again elsewhere.
{
  const one = await actor("slope:10");
  run(one, 40);
  one.feet.enabled = false;
  run(one, 20, () => one.shift.set(0, 0, 3));
  one.feet.enabled = true;
  one.step();
  one.lastPose = null;
  results.enabled = { ...run(one, 60), dropped: one.feet.dropped };
}

// A jump of 1.2 m, a fall and a landing, told to nobody.
{
  const one = await actor("slope:0");
  run(one, 30);
  let free = 0;
  let aloft = 0;
  const flight = run(one, 60, (k) => {
    const t = k / 60;
    one.height = Math.max(0, 4.85 * t - 4.905 * t * t);
    if (one.height > 0.35) {
      aloft++;
      if (one.feet.airborne && !one.feet.feet.some((foot) => foot.planted)) free++;
    }
  });
  one.height = 0;
  results.jump = { ...flight, aloft, free, landed: run(one, 40).turn, airborne: one.feet.airborne, dropped: one.feet.dropped };
}

// An animator at a third of the rate; bones without keys.
{
  const [plain, slow] = [await actor("slope:10", { place: false }), await actor("slope:10")];
  plain.every = slow.every = 3;
  results.slowAnimation = run(plain, 120);
  results.slowAnimator = run(slow, 120);
}
{
  const one = await actor("slope:0", { place: false });
  one.action.stop();
  one.mixer.update(0);
  const rest = one.pose();
  const target = new THREE.Vector3(0.5, 1.0, 0.5);
  one.animate = () => {};
  const look = one.rig.add(new LookAt("Head", { target, weight: 1 }));
  const chain = one.rig.add(new Chain(["Hips", "LowerBack", "Spine", "Spine1"], { target: new THREE.Vector3(0, 1.2, 0.1), weight: 0.5 }));
  for (let k = 0; k < 60; k++) one.step();
  const early = one.pose();
  for (let k = 0; k < 100; k++) one.step();
  results.unkeyed = furthest(early, one.pose());
  look.weight = chain.weight = 0;
  one.step();
  results.unkeyedBack = same(rest, one.pose());
}

// A hand whose target crosses the line of its pole: the elbow goes round, it does not jump.
{
  const one = await actor("slope:0", { place: false });
  one.animate = () => {};
  one.step();
  const shoulder = worldOf(one.bones.leftUpperArm);
  const target = new THREE.Vector3();
  const pole = shoulder.clone().add(new THREE.Vector3(0, -1, 0.0));
  one.rig.add(new TwoBoneLimb(["LeftArm", "LeftForeArm", "LeftHand"], { target, pole }));
  let [elbow, most, miss] = [null, 0, 0];
  for (let k = 0; k <= 200; k++) {
    const t = (k - 100) / 100;
    target.copy(shoulder).add(new THREE.Vector3(0.15 * t, -0.4, 0.0008));
    one.step();
    const now = worldOf(one.bones.leftLowerArm);
    if (elbow) most = Math.max(most, now.distanceTo(elbow));
    miss = Math.max(miss, worldOf(one.bones.leftHand).distanceTo(target));
    elbow = now;
  }
  results.acrossPole = { elbow: most, miss };
}

// A target that goes round behind the head.
{
  const one = await actor("slope:0", { place: false });
  one.animate = () => {};
  one.step();
  const head = worldOf(one.bones.head);
  const target = new THREE.Vector3();
  one.rig.add(new LookAt("Head", { target, maxAngle: 1.4, speed: 5 }));
  const { turn } = run(one, 240, (k) => target.copy(head).add(new THREE.Vector3(2 * Math.sin(0.06 * k), 0.1, 2 * Math.cos(0.06 * k))));
  results.behind = { turn, allowed: 5 / 60 };
}

// A platform that moves and turns, with the character on it.
{
  const ground = groundOf("slope:0");
  const platform = new THREE.Group();
  const deck = new THREE.Mesh(new THREE.BoxGeometry(4, 0.2, 4));
  deck.position.y = 0.4;
  platform.add(deck);
  ground.group.add(platform);
  const one = new Actor(await load(file), { ...ground, height: () => 0.5 });
  one.animate = () => {};
  one.root.position.set(0, 0.5, 0);
  one.mixer.setTime(0.1);
  platform.add(one.root);
  for (let k = 0; k < 30; k++) one.step();
  const before = [one.bones.leftFoot, one.bones.rightFoot].map((bone) => platform.worldToLocal(worldOf(bone)));
  let slide = 0;
  for (let k = 0; k < 120; k++) {
    platform.position.set(1.5 * Math.sin(0.03 * k), 0.2 * Math.sin(0.05 * k), 0);
    platform.rotation.y = 0.02 * k;
    one.step();
    [one.bones.leftFoot, one.bones.rightFoot].forEach((bone, side) => {
      slide = Math.max(slide, platform.worldToLocal(worldOf(bone)).distanceTo(before[side]));
    });
  }
  results.platform = { slide, planted: one.feet.feet.every((foot) => foot.planted) };
}

// A standing character that turns: planted feet do not swivel; they step, one at a time.
{
  const one = await actor("slope:0");
  one.animate = () => {};
  one.mixer.setTime(0.1);
  for (let k = 0; k < 30; k++) one.step();
  let [both, swivel, before] = [0, 0, null];
  for (let k = 0; k < 180; k++) {
    one.root.rotation.y += 0.01;
    one.step();
    const { feet } = one.feet;
    if (feet.every((foot) => foot.stepping > 0)) both++;
    const now = feet.map((foot) => foot.goal.rotation.clone());
    if (before) feet.forEach((foot, side) => { if (foot.planted && foot.offset.length() < 1e-3) swivel = Math.max(swivel, now[side].angleTo(before[side])); });
    before = now;
  }
  results.turning = { both, swivel };
}

// Ground of 75 degrees, stairs, slopes, and characters of other sizes, walked over.
results.grounds = {};
for (const kind of ["wall:75", "stairs:0.17", "stairs:-0.17", "slope:20", "slope:-20"]) {
  const up = kind === "stairs:-0.17" ? "stairs:0.17" : kind;
  const one = await actor(up);
  if (kind !== up) {
    one.root.rotation.y = Math.PI;
    one.at = ((at) => (time) => at(time).map((value) => -value))(one.at);
    one.shift.z = 3;
    one.shift.y = 0;
  }
  results.grounds[kind] = { ...run(one, 85), dropped: one.feet.dropped };
}
results.sizes = {};
for (const size of [0.01, 1, 100]) {
  const one = await actor("slope:15", { size });
  const { turn } = run(one, 85);
  results.sizes[size] = { turn, pose: one.pose() };
}

// Two characters, one ground: neither stands on the other or on what it carries.
{
  const ground = groundOf("slope:0");
  const [first, second] = [new Actor(await load(file), ground), new Actor(await load(file), ground)];
  const scene = new THREE.Scene();
  scene.add(ground.group, first.root, second.root);
  const box = new THREE.Mesh(new THREE.BoxGeometry(0.5, 0.05, 0.5));
  first.bones.leftFoot.add(box);
  const zone = new THREE.Mesh(new THREE.BoxGeometry(50, 0.4, 50));
  zone.userData.trigger = true;
  scene.add(zone);
  scene.updateMatrixWorld(true);
  for (const one of [first, second]) {
    one.rig.remove(one.feet);
    one.feet = one.rig.add(new FootPlacement(new Ground(scene)));
  }
  second.shift.x = 5;
  for (let k = 0; k < 60; k++) {
    first.step();
    second.step();
  }
  results.two = { apart: furthest(first.pose(), second.pose()), dropped: first.feet.dropped };
}

// Scales that shear are refused, once; missing bones are named, once; hands and feet at once.
{
  const one = await actor("slope:10");
  one.bones.leftUpperLeg.scale.set(1, 1.3, 1);
  one.rig.add(new TwoBoneLimb(["LeftArm", null, "Nobody"], { target: new THREE.Vector3() }));
  const plain = await actor("slope:10", { place: false });
  plain.bones.leftUpperLeg.scale.set(1, 1.3, 1);
  for (let k = 0; k < 10; k++) {
    one.step();
    plain.step();
  }
  results.refused = { same: same(one.pose(), plain.pose()), messages: one.messages };
}
{
  const one = await actor("slope:0", { place: false });
  one.animate = () => {};
  one.step();
  const targets = { leftHand: new THREE.Vector3(0.25, 0.25, 0.45), rightHand: new THREE.Vector3(-0.25, 0.3, 0.4) };
  const feet = [one.bones.leftFoot, one.bones.rightFoot];
  const before = feet.map(worldOf);
  one.rig.add(new FullBody({ targets }));
  one.step();
  const missed = [worldOf(one.bones.leftHand).distanceTo(targets.leftHand), worldOf(one.bones.rightHand).distanceTo(targets.rightHand)];
  results.fullBody = { missed, feet: feet.map((foot, side) => worldOf(foot).distanceTo(before[side])) };
}

// Springs: the same at any frame rate, and calm after a teleport.
{
  const ends = [];
  for (const fps of [30, 60, 240]) {
    const one = await actor("slope:0", { place: false, fps });
    one.mixer.stopAllAction();
    one.animate = () => { one.time += one.seconds; one.root.position.x = Math.max(0, one.time - 0.5) * 2; };
    one.rig.add(new SpringChain(["Spine1", "Neck", "Neck1"], { frequency: 2, damping: 0.2 }));
    for (let k = 0; k < 1.2 * fps; k++) one.step();
    ends.push(worldOf(one.bones.head).sub(one.root.position).toArray());
    run(one, 1);
    if (fps === 60) results.springTeleport = run(one, 1, () => (one.animate = () => (one.root.position.x += 10))).turn;
  }
  results.springs = ends;
}

// Memory: a frame allocates nothing.
if (globalThis.gc) {
  const one = await actor("slope:10");
  const target = new THREE.Object3D();
  one.rig.add(new TwoBoneLimb(["LeftArm", "LeftForeArm", "LeftHand"], { target, pole: new THREE.Vector3(0, 1, 1), weight: 0.7 }));
  one.rig.add(new LookAt("Head", { target }));
  one.rig.add(new Chain(["LowerBack", "Spine", "Spine1"], { target: new THREE.Vector3(0, 1.4, 0) }));
  one.rig.add(new SpringChain(["Neck", "Neck1"]));
  one.rig.add(new FullBody({ targets: { rightHand: target } }));
  const frame = (k) => {
    one.root.position.set(0, 0, 0.01 * (k % 300));
    one.bones.hips.rotation.y = 0.1 * Math.sin(0.1 * k);
    target.position.set(0.3 * Math.sin(0.1 * k), 1.2, 0.5);
    one.rig.update(1 / 60);
  };
  for (let k = 0; k < 6000; k++) frame(k);
  globalThis.gc();
  const start = process.memoryUsage().heapUsed;
  for (let k = 0; k < 6000; k++) frame(k);
  results.bytesPerFrame = (process.memoryUsage().heapUsed - start) / 6000;
}
console.log(JSON.stringify(results, (_, value) => (value === -0 ? 0 : value)));

// The bones of a person by the names that VRM gives them, from the words that rigs use, without separators and sides.
const WORDS = {
  hips: ["hips", "pelvis", "hip"],
  spine: ["spine", "spine1", "spine01", "lowerback", "abdomen"],
  chest: ["chest", "spine1", "spine2", "spine02"],
  upperChest: ["upperchest", "spine2", "spine3", "spine03"],
  neck: ["neck", "neck1", "neck01"],
  head: ["head"],
  UpperLeg: ["upperleg", "upleg", "thigh", "legupper"],
  LowerLeg: ["lowerleg", "leg", "shin", "calf", "knee", "leglower"],
  Foot: ["foot", "ankle"],
  Toes: ["toes", "toebase", "toe", "ball"],
  Shoulder: ["shoulder", "clavicle", "collar"],
  UpperArm: ["upperarm", "arm", "armupper"],
  LowerArm: ["lowerarm", "forearm", "elbow", "armlower"],
  Hand: ["hand", "wrist"],
};
const SIDED = Object.keys(WORDS).filter((name) => /^[A-Z]/.test(name));
const KNOWN = new Set(SIDED.flatMap((name) => WORDS[name]));
const NEEDED = ["hips", "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot"];

/**
 * The bones of a person by VRM's names: hips, spine, head, leftUpperLeg, leftLowerLeg, leftFoot, leftToes, leftUpperArm … rightHand.
 * @param source a VRM of three-vrm, a gltf of GLTFLoader (whose VRM map is read where there is one), or an Object3D, whose bones are
 *   found by the names that Mixamo, VRoid, Godot, Blender, Biped and motion capture use
 */
export function humanoid(source) {
  const found = byVrm(source) ?? byMap(source) ?? byNames(source.scene ?? source);
  const missing = NEEDED.filter((name) => !found[name]);
  if (missing.length) throw new Error(`humanoid: no bone was found for ${missing.join(", ")}; pass an object of bones instead`);
  return found;
}

const every = () => Object.keys(WORDS).flatMap((name) => (SIDED.includes(name) ? [`left${name}`, `right${name}`] : [name]));

function byVrm(source) {
  const one = source.humanoid ?? source.userData?.vrm?.humanoid;
  if (!one) return null;
  const found = {};
  for (const name of every()) found[name] = one.getNormalizedBoneNode?.(name) ?? one.getRawBoneNode?.(name) ?? undefined;
  return found;
}

// The map in a VRM file that was loaded without three-vrm.
function byMap(source) {
  const { json, associations } = source.parser ?? {};
  const bones = json?.extensions?.VRMC_vrm?.humanoid?.humanBones ?? json?.extensions?.VRM?.humanoid?.humanBones;
  if (!bones) return null;
  const nodes = new Map();
  for (const [object, about] of associations) if (object.isObject3D && about?.nodes !== undefined) nodes.set(about.nodes, object);
  const pairs = Array.isArray(bones) ? bones.map(({ bone, node }) => [bone, node]) : Object.entries(bones).map(([k, v]) => [k, v.node]);
  return Object.fromEntries(pairs.map(([name, node]) => [name, nodes.get(node)]));
}

function byNames(root) {
  const words = new Map();
  const bones = [];
  root.traverse((object) => object.isBone && bones.push(object));
  const shared = sharedStart(bones.map((bone) => bone.name));
  for (const bone of bones) {
    const { word, side } = read(bone.name.slice(shared));
    const key = `${side}:${word}`;
    if (!words.has(key)) words.set(key, bone);
  }
  const found = {};
  for (const [name, known] of Object.entries(WORDS)) {
    for (const [side, prefix] of SIDED.includes(name) ? [["l", "left"], ["r", "right"]] : [["", ""]]) {
      const taken = Object.values(found);
      const bone = known.map((word) => words.get(`${side}:${word}`)).find((one) => one && !taken.includes(one));
      if (bone) found[prefix + name] = bone;
    }
  }
  return found;
}

// How many letters all names begin with: "mixamorig", "J_Bip_".
function sharedStart(names) {
  let count = 0;
  const [first = ""] = names;
  while (names.length > 4 && count < first.length && names.every((name) => name[count] === first[count])) count++;
  return count;
}

function read(name) {
  const tokens = name
    .replace(/^(mixamorig\d*|bip\d*|j_bip|valvebiped|def|org|bone)[_ :.-]*/i, "")
    .replace(/_armature$/i, "")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .split(/[^A-Za-z0-9]+/)
    .map((token) => token.toLowerCase())
    .filter((token) => token && token !== "c" && token !== "def");
  let side = "";
  const rest = tokens.filter((token) => {
    const one = { l: "l", left: "l", r: "r", right: "r" }[token];
    if (one) side ||= one;
    return !one;
  });
  let word = rest.join("");
  const joined = !side && /^(left|right)(.+)$/.exec(word);
  if (joined) [side, word] = [joined[1][0], joined[2]];
  const ending = !side && /^(.+)([lr])$/.exec(word); // three.js takes the dot out of upperleg.l
  if (ending && KNOWN.has(ending[1])) [word, side] = [ending[1], ending[2]];
  return { word, side };
}

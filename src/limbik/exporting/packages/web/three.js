/**
 * Components that pose the bones of three.js characters after the animation. A `Rig` holds them:
 *
 *     const rig = new Rig(gltf.scene);
 *     rig.add(new TwoBoneLimb(["LeftArm", "LeftForeArm", "LeftHand"], { target }));
 *     // in each frame:
 *     mixer.update(seconds);
 *     rig.update(seconds);
 */
export { Chain } from "./three/chain.js";
export { Component } from "./three/component.js";
export { Creature } from "./three/creature.js";
export { FootPlacement } from "./three/foot_placement.js";
export { FullBody } from "./three/full_body.js";
export { Ground, Hit } from "./three/ground.js";
export { humanoid } from "./three/humanoid.js";
export { LookAt } from "./three/look_at.js";
export { Rig } from "./three/rig.js";
export { SpringChain } from "./three/spring_chain.js";
export { ThreeBoneLeg } from "./three/three_bone_leg.js";
export { TwoBoneLimb } from "./three/two_bone_limb.js";

import * as THREE from "three";
import {twoLink,threeLink} from "limbik-ik";
const s=twoLink.solve(1,1,[0,0,1.5],[1,0,0],[0,0,0],1,1); console.log(s.middle, new THREE.Vector3(1,0,0).applyQuaternion(new THREE.Quaternion(...s.firstRotation)), new THREE.Vector3(0,1,0).applyQuaternion(new THREE.Quaternion(...s.firstRotation)),new THREE.Vector3(0,0,1).applyQuaternion(new THREE.Quaternion(...s.firstRotation)), s.state);
const t=threeLink.solve(1,1,.3,[0.3,0,1.5],[1,0,0],[0,0,0],[1,0,0],1); console.log(t.joints, t, new THREE.Vector3(1,0,0).applyQuaternion(new THREE.Quaternion(...t.firstRotation)),new THREE.Vector3(1,0,0).applyQuaternion(new THREE.Quaternion(...t.lastRotation)));

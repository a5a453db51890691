import * as THREE from "three";
import {Actor,load,groundOf,FootSkin,largestTurn} from "./stage.js";
const n="/tmp/wg/cmu_07_01.glb";
const g=await load(n); const actor=new Actor(g,groundOf("stairs:0.15"),{}); actor.feet.level=0.005; let before=null; const names=actor.used.map(b=>b.name);
for(let f=0;f<125;f++){actor.step(); const p=actor.pose(); let most=0,which=""; if(before)for(let k=0;k<p.length;k+=7){const a=new THREE.Quaternion(...before.slice(k,k+4)),b=new THREE.Quaternion(...p.slice(k,k+4)); const t=a.angleTo(b); if(t>most){most=t;which=names[k/7]}} before=p;
 if((f>108&&f<122)||(f>8&&f<20)){ console.log(f,most.toFixed(3),which,"drop",actor.feet.dropped.toFixed(3), actor.root.position.z.toFixed(2),actor.root.position.y.toFixed(2), actor.feet.feet.map(ft=>`${ft.planted?"P":"-"} low ${ft.low.toFixed(3)} v ${ft.velocity.length().toFixed(2)} goal ${ft.goal.position.toArray().map(x=>x.toFixed(3))} off ${ft.offset.toArray().map(x=>x.toFixed(3))} h ${ft.footing.height.toFixed(2)} n ${ft.footing.normal.z.toFixed(2)} step ${ft.stepping.toFixed(2)}`).join(" | "))}}

import * as THREE from "three";
import {Actor,load,groundOf,FootSkin,largestTurn} from "./stage.js";
for (const n of process.argv.slice(2)) {
 for (const kind of ["slope:0","slope:20","slope:-20","slope:10","stairs:0.15"]) {
  const calm=await run(n,"slope:0",false), out=await run(n,kind,true);
  // standing by the animation
  let worst=0,float=0,slide=0,count=0,low=Infinity, bad=null; const ground=groundOf(kind);
  const level=calm.level;
  for(const side of [0,1]) { let since=0;
   for(let f=1;f<calm.frames.length-1;f++){
     const a=calm.frames[f][side], b=calm.frames[f-1][side];
     let lo=0; a.forEach((p,k)=>{if(p.y<a[lo].y)lo=k});
     const v=a[lo].distanceTo(b[lo])*60;
     const stands=a[lo].y-level<0.015&&v<0.3; since=stands?since+1:0;
     const h=out.frames[f][side].map(p=>(p.y-ground.height(p.x,p.z))*(kind.startsWith("slope")?Math.cos(Number(kind.slice(6))*Math.PI/180):1));
     const m=Math.min(...h); low=Math.min(low,m);
     if(since>9){count++; if(Math.abs(m)>worst){worst=Math.abs(m);bad=[f,side,m]} 
       let k0=h.indexOf(m); slide=Math.max(slide,out.frames[f][side][k0].distanceTo(out.frames[f-1][side][k0]));}
   }}
  const ratio=Math.max(...out.turns.map((t,k)=>t))/Math.max(...calm.turns);
  let jumpR=0; out.turns.forEach((t,k)=>{jumpR=Math.max(jumpR,t)});
  console.log(n.split("/").pop(),kind,"standing",count,"worst",(1e3*worst).toFixed(1),"mm lowest",(1e3*low).toFixed(0),"slide/frame",(1e3*slide).toFixed(2),"turn ratio",ratio.toFixed(2),"max turn", jumpR.toFixed(3), out.turns.indexOf(jumpR), "drop",out.drop.toFixed(3),bad, "level",level.toFixed(3));
 }
}
async function run(n,kind,place){
  const g=await load(n); const actor=new Actor(g,groundOf(kind),{place}); 
  const skins=["leftFoot","rightFoot"].map(f=>new FootSkin(g.scene,actor.bones[f]));
  if(place){actor.feet.level=(await run(n,"slope:0",false)).level}
  const frames=[],turns=[]; let before=null,drop=0; const N=Math.floor(actor.action.getClip().duration*60)-1;
  for(let f=0;f<N;f++){actor.step(); const p=actor.pose(); if(before)turns.push(largestTurn(before,p)); before=p; frames.push(skins.map(s=>s.points())); if(place)drop=Math.max(drop,actor.feet.dropped)}
  const lows=frames.map(fr=>Math.min(...fr.map(ps=>Math.min(...ps.map(p=>p.y))))).sort((a,b)=>a-b);
  if(place&&actor.messages.length)console.log(actor.messages);
  return {frames,turns,drop,level:lows[Math.floor(lows.length*0.3)]};
}

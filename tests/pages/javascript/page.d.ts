// What the viewer's scripts share: the looks that scenes/looks.py writes, and the content that packing.py
// writes.

type Vector = number[];
type Matrix = number[];
type Values = Float32Array | Int32Array;
interface Point { x: number; y: number }
type Brush = (values: Record<string, unknown>) => void;

interface Looks {
  sun: Vector; sunlight: Vector; above: Vector; below: Vector; rim: number;
  field: number; azimuth: number; elevation: number; room: number; haze: number; clearance: number;
  contour: number; contours: number; print_shade: number;
  line: number; fifth: number;
  tints: Vector[];
  mark: number; ring: number; ring_opacity: number; disc_opacity: number; left: number; fading: number;
}
declare const LOOKS: Looks;

interface PackedArray { at: number; rows: number; columns: number; planes: number; order: number; step?: number }
interface PackedFile { at: number; length: number; type: string }
interface PackedSurface { positions: PackedArray; faces: PackedArray; normals?: PackedArray }
interface PackedGround extends PackedSurface { middle: number[]; margin: number; paint?: PackedArray }
interface PackedPart extends PackedSurface {
  colour: number[]; shine: number[]; cutoff: number; joints: PackedArray; weights: PackedArray;
  uvs?: PackedArray; colours?: PackedArray; texture?: number;
}
interface PackedSkin { mesh: number; joints: number[]; inverses: number[] }
interface PackedBody { meshes: PackedPart[][]; skins: PackedSkin[] }
interface PackedGroup {
  body: number; count: number; parents: number[];
  rotations: PackedArray; translations: PackedArray; scales?: PackedArray;
}
interface PackedMotion {
  extent: [number, number];
  fps: number; frames: number; radius: number; mark: number; feet: string[]; plants: [number, number, number][];
  footing: [number, number, number, number][]; blocked: [number, number][];
  centres: PackedArray; marks: PackedArray; groups: PackedGroup[];
}
interface Content {
  size: number; grid: number; azimuth: number; about: string; notes: string;
  names: { clip: string; compare: string }; view: "overlay" | "beside" | "clip" | "compare";
  motions: PackedMotion[]; ground: PackedGround; bodies: PackedBody[]; textures: PackedFile[];
  walker?: PackedWalker;
}
interface PackedWalker { script: PackedFile; cruise: number; fastest: number; gaits: string[] }
interface Walking {
  rotations: Float64Array; place: Vector; blocked: boolean; body: { yaw: number }[];
  begin(x: number, z: number, yaw: number): void;
  step(seconds: number, x: number, z: number, turn?: number): void;
  keepTo(gait: number): void;
  pose(): void;
}
declare var limbikWalk: { Walker: new (height: (x: number, z: number) => number) => Walking };

interface Footing { group: number; joint: number; figure: number; limb: number }
interface DrawnSurface { shape: WebGLVertexArrayObject; count: number }
interface GroundSurface extends DrawnSurface { middle: number[]; margin: number; positions: Values; faces: Values }
interface BodyPart extends DrawnSurface {
  positions: Values; joints: Uint16Array; weights: Values; first: number;
  colour: number[]; shine: number[]; cutoff: number; texture?: number;
}
interface ViewerBody { joints: number[]; inverses: Float32Array; drawn: BodyPart[] }
interface Program { program: WebGLProgram; set: Brush }
interface Shadows { texture: WebGLTexture; frame: WebGLFramebuffer }
interface Light { sunMatrix: Matrix; sun: Vector; shadows: number; grain: number }
interface Gaze { back: number; up: number; raise: number }
interface View { box: [number, number, number, number]; raise: number; motions: Motion[] }

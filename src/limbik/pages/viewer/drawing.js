// The picture: figures with their shadows, the ground, and marks where feet are planted.

const SHADOWS = 2048; // places across the shadows' texture

class Stage {
  /** @param {HTMLCanvasElement} canvas @param {Content} content @param {Numbers} numbers */
  constructor(canvas, content, numbers) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true });
    if (!gl) throw new Error("This page needs WebGL 2, which this browser does not have or does not allow.");
    this.gl = gl;
    this.size = content.size;
    this.grid = content.grid;
    this.programs = {
      body: program(gl, BODY.vertex, BODY.fragment),
      bodyDepth: program(gl, BODY.vertex, DEPTH),
      ground: program(gl, GROUND.vertex, GROUND.fragment),
      groundDepth: program(gl, GROUND.vertex, DEPTH),
      mark: program(gl, MARK.vertex, MARK.fragment),
      sky: program(gl, SKY.vertex, SKY.fragment),
    };
    this.everywhere = gl.createVertexArray();
    this.height = new Heights(new Float32Array(), content.ground.middle);
    this.ground = this.terrain(content.ground, numbers);
    this.bodies = content.bodies.map((body) => this.body(body, numbers));
    this.shadows = shadowTexture(gl);
    this.white = texture(gl, new ImageData(new Uint8ClampedArray([255, 255, 255, 255]), 1, 1));
    this.textures = content.textures.map(() => this.white);
    gl.enable(gl.DEPTH_TEST);
    gl.vertexAttrib3f(5, 1, 1, 1); // of parts without colours of their own
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    /** @type {Record<string, Vector>} */
    this.colours = {};
    this.recolour();
  }

  /** @param {Content} content @param {Numbers} numbers */
  async loadTextures(content, numbers) {
    const images = await Promise.all(content.textures.map((each) => numbers.image(each)));
    this.textures = images.map((image) => texture(this.gl, image));
  }

  // Takes the colours from the page's style, light or dark.
  recolour() {
    const style = getComputedStyle(document.documentElement);
    const colours = ["far", "ground", "steep", "tread", "nosing", "wall", "line", "planted", "ghost", "accent"];
    this.colours = Object.fromEntries(colours.map((name) => [name, linear(style.getPropertyValue(`--${name}`))]));
    const [top, low] = style.getPropertyValue("--sky").match(/#\w+/g) ?? ["#ffffff", "#ffffff"];
    Object.assign(this.colours, { top: linear(top), low: linear(low) });
  }

  /** @param {PackedGround} content @param {Numbers} numbers @returns {GroundSurface} */
  terrain(content, numbers) {
    const { shape, positions, faces } = this.surface(content, numbers);
    if (content.paint) attribute(this.gl, 2, Float32Array.from(numbers.array(content.paint)), 1);
    indices(this.gl, faces);
    this.height = new Heights(positions, content.middle);
    return { ...content, shape, positions, faces, count: faces.length };
  }

  // Positions and normals, which are worked out where they are not told; and the faces, yet to be given.
  /** @param {PackedSurface} content @param {Numbers} numbers */
  surface(content, numbers) {
    const gl = this.gl;
    const positions = numbers.array(content.positions);
    const faces = numbers.array(content.faces);
    const shape = gl.createVertexArray();
    gl.bindVertexArray(shape);
    attribute(gl, 0, positions, 3);
    attribute(gl, 1, content.normals ? numbers.array(content.normals) : normals(positions, faces), 3);
    return { shape, positions, faces };
  }

  /** @param {PackedBody} body @param {Numbers} numbers @returns {ViewerBody} */
  body(body, numbers) {
    const { meshes, skins } = body;
    const shapes = meshes.map((parts) => parts.map((part) => this.part(part, numbers)));
    const joints = skins.flatMap((skin) => skin.joints);
    const inverses = Float32Array.from(skins.flatMap((skin) => skin.inverses));
    let first = 0;
    const drawn = skins.flatMap((skin) => {
      const from = first;
      first += skin.joints.length;
      return shapes[skin.mesh].map((part) => ({ ...part, first: from }));
    });
    return { joints, inverses, drawn };
  }

  /** @param {PackedPart} content @param {Numbers} numbers */
  part(content, numbers) {
    const gl = this.gl;
    const { shape, positions, faces } = this.surface(content, numbers);
    if (content.uvs) attribute(gl, 2, numbers.array(content.uvs), 2);
    if (content.colours) attribute(gl, 5, numbers.array(content.colours), 3);
    const joints = Uint16Array.from(numbers.array(content.joints));
    const weights = numbers.array(content.weights);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, joints, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(3);
    gl.vertexAttribIPointer(3, 4, gl.UNSIGNED_SHORT, 0, 0);
    attribute(gl, 4, weights, 4);
    indices(gl, faces);
    return { ...content, positions, joints, weights, shape, count: faces.length };
  }

  // Gives a motion what it needs to be drawn: the matrices of its figures, its marks and what is drawn over it.
  /** @param {Motion} motion */
  prepare(motion) {
    const gl = this.gl;
    for (const group of motion.groups) {
      const body = this.bodies[group.body];
      const rows = Math.ceil((group.count * body.joints.length) / ACROSS);
      group.matrices = new Float32Array(12 * ACROSS * rows);
      group.texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, group.texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 3 * ACROSS, rows);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
    motion.overlays = new Overlays(gl, motion);
    motion.shape = gl.createVertexArray();
    gl.bindVertexArray(motion.shape);
    attribute(gl, 0, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, motion.marks, gl.STATIC_DRAW);
    [[1, 3, 0], [2, 3, 12], [3, 2, 24]].forEach(([location, width, offset]) => {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, width, gl.FLOAT, false, 32, offset);
      gl.vertexAttribDivisor(location, 1);
    });
  }

  /** @param {Motion} motion @param {number} time */
  pose(motion, time) {
    const gl = this.gl;
    motion.pose(time);
    motion.time = time;
    for (const group of motion.groups) {
      group.palette(this.bodies[group.body], group.matrices);
      gl.bindTexture(gl.TEXTURE_2D, group.texture);
      const rows = group.matrices.length / (12 * ACROSS);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 3 * ACROSS, rows, gl.RGBA, gl.FLOAT, group.matrices);
    }
  }

  // How far from a place the skin of the first figure is, as the motion is posed: level and upright.
  /** @param {Motion} motion @param {Vector} from @returns {[number, number]} */
  reach(motion, from) {
    const [group] = motion.groups;
    let [level, tall] = motion.extent;
    for (const part of this.bodies[group.body].drawn)
      for (let vertex = 0; vertex < part.positions.length / 3; vertex++) {
        const [x, y, z] = plus(skinned(group.matrices, part, vertex), from, -1);
        level = Math.max(level, Math.hypot(x, z));
        tall = Math.max(tall, Math.abs(y));
      }
    return [level, tall];
  }

  // Draws views: parts of the canvas (left, bottom, width, height, in pixels) with the motions that are seen there.
  /** @param {Camera} camera @param {View[]} views @param {Set<string>} shown of the overlays */
  draw(camera, views, shown) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    for (const { box, raise, motions } of views) {
      const solid = motions.filter((motion) => !motion.ghost);
      const light = this.shade(solid);
      const { eye, view, gaze } = camera.look(box[2] / box[3], raise);
      gl.viewport(...box);
      this.drawSky(gaze);
      this.drawGround(view, light);
      for (const motion of shown.has("support") ? solid : []) motion.overlays?.drawSupport(view, this.colours.planted);
      for (const motion of solid) this.drawFigures(motion, this.programs.body, { view, eye, ...light });
      for (const motion of motions) this.drawMarks(motion, view, shown);
      for (const motion of shown.has("arcs") ? solid : []) motion.overlays?.drawArcs(view, box, this.colours.accent);
      for (const motion of motions.filter((each) => each.ghost)) this.drawGhost(motion, { view, eye, ...light });
    }
  }

  // Fills the shadows' texture as the sun sees the motions; what is needed to look shadows up.
  /** @param {Motion[]} motions @returns {Light} */
  shade(motions) {
    const gl = this.gl;
    const { centre, radius } = motions[0].sphere;
    const sun = unit(LOOKS.sun);
    const sunMatrix = product(parallel(radius, 4 * radius), looking(plus(centre, sun, 2 * radius), centre));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadows.frame);
    gl.viewport(0, 0, SHADOWS, SHADOWS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 4);
    const depth = this.programs.groundDepth;
    gl.useProgram(depth.program);
    depth.set({ view: sunMatrix });
    this.drawElements(this.ground);
    for (const motion of motions) this.drawFigures(motion, this.programs.bodyDepth, { view: sunMatrix });
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.shadows.texture);
    return { sunMatrix, sun, shadows: 1, grain: (2 * radius) / SHADOWS };
  }

  /** @param {DrawnSurface} surface @param {number} instances */
  drawElements(surface, instances = 1) {
    const gl = this.gl;
    gl.bindVertexArray(surface.shape);
    gl.drawElementsInstanced(gl.TRIANGLES, surface.count, gl.UNSIGNED_INT, 0, instances);
  }

  // Behind everything.
  /** @param {Gaze} gaze */
  drawSky(gaze) {
    const gl = this.gl;
    const { top, low, far } = this.colours;
    gl.useProgram(this.programs.sky.program);
    this.programs.sky.set({ top, low, far, ...gaze });
    gl.bindVertexArray(this.everywhere);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
  }

  /** @param {Matrix} view @param {Light} light */
  drawGround(view, light) {
    const gl = this.gl;
    const { ground, ...colours } = this.colours;
    gl.useProgram(this.programs.ground.program);
    const { middle, margin } = this.ground;
    this.programs.ground.set({ view, colour: ground, ...colours, grid: this.grid, middle, margin, ...light });
    gl.enable(gl.BLEND);
    this.drawElements(this.ground);
    gl.disable(gl.BLEND);
  }

  /** @param {Motion} motion @param {Program} program @param {Record<string, unknown>} values */
  drawFigures(motion, program, values) {
    const gl = this.gl;
    const { set } = program;
    const tint = motion.ghost ? [...this.colours.ghost, 0.85] : [0, 0, 0, 0];
    gl.useProgram(program.program);
    set({ palette: 0, base: 2, tint, opacity: motion.ghost ? 0.45 : 1, ...values });
    for (const group of motion.groups) {
      const body = this.bodies[group.body];
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, group.texture);
      for (const part of body.drawn) {
        gl.activeTexture(gl.TEXTURE2);
        gl.bindTexture(gl.TEXTURE_2D, this.textures[part.texture ?? -1] ?? this.white);
        const { first, colour, cutoff, shine } = part;
        set({ first, width: body.joints.length, colour, cutoff, shine });
        this.drawElements(part, group.count);
      }
    }
    gl.activeTexture(gl.TEXTURE0);
  }

  // Depth first, so that of a ghost only its front is seen, once.
  /** @param {Motion} motion @param {Light & { view: Matrix, eye: Vector }} values */
  drawGhost(motion, values) {
    const gl = this.gl;
    gl.colorMask(false, false, false, false);
    this.drawFigures(motion, this.programs.bodyDepth, { view: values.view });
    gl.colorMask(true, true, true, true);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    this.drawFigures(motion, this.programs.body, { ...values });
    gl.disable(gl.BLEND);
    gl.depthFunc(gl.LESS);
  }

  /** @param {Motion} motion @param {Matrix} view @param {Set<string>} shown */
  drawMarks(motion, view, shown) {
    const gl = this.gl;
    const count = motion.marks.length / 8;
    const [planted, prints] = ["planted", "prints"].map((name) => Number(shown.has(name)));
    if (!count || !(planted || prints)) return;
    const colour = motion.ghost ? this.colours.ghost : this.colours.planted;
    gl.useProgram(this.programs.mark.program);
    this.programs.mark.set({ view, time: motion.time, radius: motion.mark, colour, shown: [planted, prints] });
    gl.bindVertexArray(motion.shape);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}

// Where a vertex is, as the graphics processor finds it too.
/** @param {Float32Array} matrices @param {BodyPart} part @param {number} vertex */
function skinned(matrices, part, vertex) {
  const { positions, joints, weights, first } = part;
  const place = [0, 0, 0];
  let total = 0;
  for (let k = 4 * vertex; k < 4 * vertex + 4; k++) {
    total += weights[k];
    for (let axis = 0; axis < 3; axis++) {
      const at = 12 * (first + joints[k]) + 4 * axis;
      const moved = matrices.subarray(at, at + 3);
      place[axis] += weights[k] * (dot(moved, positions.subarray(3 * vertex)) + matrices[at + 3]);
    }
  }
  return place.map((value) => value / total);
}

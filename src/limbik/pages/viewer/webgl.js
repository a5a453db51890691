// WebGL made shorter.

// A program, and `set`, which gives values to its uniforms by their names; names that it lacks are passed over.
/** @param {WebGL2RenderingContext} gl @param {string} vertex @param {string} fragment @returns {Program} */
function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  const texts = /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]);
  for (const [kind, text] of texts) {
    const shader = gl.createShader(kind);
    if (!shader) throw new Error("The graphics context was lost.");
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "");
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made) ?? "");
  /** @type {Record<string, (value: any) => void>} */
  const setters = {};
  for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
    const { name, type } = /** @type {WebGLActiveInfo} */ (gl.getActiveUniform(made, k));
    setters[name] = setter(gl, type, gl.getUniformLocation(made, name));
  }
  /** @param {Record<string, unknown>} values */
  const set = (values) => {
    for (const [name, value] of Object.entries(values)) setters[name]?.(value);
  };
  return { program: made, set };
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {number} type
 * @param {WebGLUniformLocation | null} location
 * @returns {(value: any) => void}
 */
function setter(gl, type, location) {
  switch (type) {
    case gl.FLOAT: return (value) => gl.uniform1f(location, value);
    case gl.FLOAT_VEC2: return (value) => gl.uniform2fv(location, value);
    case gl.FLOAT_VEC3: return (value) => gl.uniform3fv(location, value);
    case gl.FLOAT_VEC4: return (value) => gl.uniform4fv(location, value);
    case gl.FLOAT_MAT4: return (value) => gl.uniformMatrix4fv(location, false, value);
    default: return (value) => gl.uniform1i(location, value); // whole numbers, and textures by number
  }
}

/** @param {WebGL2RenderingContext} gl @param {number} location @param {Values} values @param {number} width */
function attribute(gl, location, values, width) {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, width, gl.FLOAT, false, 0, 0);
}

/** @param {WebGL2RenderingContext} gl @param {Values} faces */
function indices(gl, faces) {
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(faces), gl.STATIC_DRAW);
}

/** @param {WebGL2RenderingContext} gl @param {TexImageSource} image */
function texture(gl, image) {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  return made;
}

/** @param {WebGL2RenderingContext} gl @returns {Shadows} */
function shadowTexture(gl) {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOWS, SHADOWS);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  const frame = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, made, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return { texture: made, frame };
}

// Unit normals at vertices: the mean of those of the faces around, larger faces counting more.
/** @param {Values} positions @param {Values} faces */
function normals(positions, faces) {
  const found = new Float32Array(positions.length);
  /** @param {number} vertex */
  const at = (vertex) => [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
  for (let k = 0; k < faces.length; k += 3) {
    const a = at(faces[k]);
    const face = cross(plus(at(faces[k + 1]), a, -1), plus(at(faces[k + 2]), a, -1));
    for (let corner = 0; corner < 3; corner++)
      for (let axis = 0; axis < 3; axis++) found[3 * faces[k + corner] + axis] += face[axis];
  }
  for (let k = 0; k < found.length; k += 3) {
    const length = Math.hypot(found[k], found[k + 1], found[k + 2]) || 1;
    for (let axis = 0; axis < 3; axis++) found[k + axis] /= length;
  }
  return found;
}

// The linear parts of a colour such as #20262b.
/** @param {string} hex @returns {Vector} */
function linear(hex) {
  const digits = hex.trim().slice(1);
  return [0, 2, 4].map((k) => (parseInt(digits.slice(k, k + 2), 16) / 255) ** 2.2);
}

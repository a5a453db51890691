// What runs on the graphics processor. Colours are linear until the last step. LOOKS: see looks.py.

const ACROSS = 256; // matrices in a row of the palette's texture

const LIGHT = `
  precision highp float;
  precision highp sampler2DShadow;
  uniform sampler2DShadow shadows;
  uniform mat4 sunMatrix;
  uniform vec3 sun;
  uniform float grain;  // metres from one place of the shadows' texture to the next

  float sunlit(vec3 place, vec3 facing) {
    vec3 at = (sunMatrix * vec4(place + 4.0 * grain * facing, 1.0)).xyz * 0.5 + 0.5;
    vec3 inside = min(at, 1.0 - at);
    if (min(inside.x, min(inside.y, inside.z)) <= 0.0) return 1.0;
    vec2 texel = 1.8 / vec2(textureSize(shadows, 0));
    float sum = 0.0;
    for (int i = -2; i <= 2; i++)
      for (int j = -2; j <= 2; j++) sum += texture(shadows, vec3(at.xy + vec2(i, j) * texel, at.z - 0.0006));
    return mix(1.0, sum / 25.0, smoothstep(0.0, 0.1, min(inside.x, inside.y)));
  }

  // lit: the part of the sun that is seen from the place.
  vec3 shone(vec3 colour, vec3 place, vec3 facing, out float lit) {
    vec3 sky = mix(vec3(${LOOKS.below}), vec3(${LOOKS.above}), 0.5 + 0.5 * facing.y);
    float sunward = max(dot(facing, sun), 0.0);
    lit = sunward > 0.0 ? sunlit(place, facing) : 0.0;
    return colour * (sky + vec3(${LOOKS.sunlight}) * sunward * lit);
  }

  vec4 display(vec3 colour, float alpha) {
    return vec4(pow(min(colour, 1.0), vec3(1.0 / 2.2)) * alpha, alpha);
  }
`;

const DEPTH = `#version 300 es
  precision highp float;
  void main() {}
`;

const BODY = {
  vertex: `#version 300 es
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in vec2 uv;
    layout(location = 3) in uvec4 joints;
    layout(location = 4) in vec4 weights;
    layout(location = 5) in vec3 painted;
    uniform highp sampler2D palette;
    uniform int first;  // of the palette's matrices of a figure, this part's first one
    uniform int width;  // how many a figure has
    uniform mat4 view;
    out vec3 place;
    out vec3 facing;
    out vec2 texel;
    out vec3 shade;
    const vec3 TINTS[${LOOKS.tints.length}] = vec3[](${LOOKS.tints.map((tint) => `vec3(${tint})`).join()});

    void main() {
      vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
      for (int k = 0; k < 4; k++) {
        if (weights[k] == 0.0) continue;
        int at = gl_InstanceID * width + first + int(joints[k]);
        ivec2 cell = ivec2(at % ${ACROSS} * 3, at / ${ACROSS});
        x += weights[k] * texelFetch(palette, cell, 0);
        y += weights[k] * texelFetch(palette, cell + ivec2(1, 0), 0);
        z += weights[k] * texelFetch(palette, cell + ivec2(2, 0), 0);
      }
      float total = dot(weights, vec4(1.0));  // one but for rounding, which far from the origin would show
      vec4 here = vec4(position, 1.0);
      place = vec3(dot(x, here), dot(y, here), dot(z, here)) / total;
      facing = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
      texel = uv;
      shade = pow(painted, vec3(2.2)) * TINTS[gl_InstanceID % ${LOOKS.tints.length}];
      gl_Position = view * vec4(place, 1.0);
    }
  `,
  fragment: `#version 300 es
    ${LIGHT}
    in vec3 place;
    in vec3 facing;
    in vec2 texel;
    in vec3 shade;
    uniform sampler2D base;
    uniform vec4 colour;
    uniform vec4 tint;  // and how much of it
    uniform float cutoff;
    uniform float opacity;
    uniform vec3 eye;
    uniform vec2 shine;  // strength and exponent of the highlight
    out vec4 pixel;

    void main() {
      vec4 paint = colour * texture(base, texel);
      if (paint.a < cutoff) discard;
      vec3 normal = normalize(facing) * (gl_FrontFacing ? 1.0 : -1.0);
      vec3 towards = normalize(eye - place);
      float lit;
      vec3 seen = shone(mix(paint.rgb * shade, tint.rgb, tint.a), place, normal, lit);
      seen += float(${LOOKS.rim}) * pow(1.0 - max(dot(normal, towards), 0.0), 3.0);
      seen += vec3(${LOOKS.sunlight}) * lit * shine.x * pow(max(dot(normal, normalize(towards + sun)), 0.0), shine.y);
      pixel = display(seen, opacity);
    }
  `,
};

const GROUND = {
  vertex: `#version 300 es
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in float paint;  // as in staircase.py
    uniform mat4 view;
    out vec3 place;
    out vec3 facing;
    flat out float kind;

    void main() {
      kind = paint;
      place = position;
      facing = normal;
      gl_Position = view * vec4(position, 1.0);
    }
  `,
  fragment: `#version 300 es
    ${LIGHT}
    in vec3 place;
    in vec3 facing;
    flat in float kind;
    uniform vec3 colour;
    uniform vec3 steep;
    uniform vec3 tread;
    uniform vec3 nosing;
    uniform vec3 wall;
    uniform vec3 line;
    uniform float grid;
    uniform vec4 middle;  // x and z of the ground's middle, and half its extent
    uniform float margin;
    out vec4 pixel;

    float lines(float spacing) {
      vec2 at = place.xz / spacing;
      vec2 width = max(fwidth(at), 1e-6);
      vec2 near = 1.0 - smoothstep(0.4 * width, 1.4 * width, abs(fract(at - 0.5) - 0.5));
      return max(near.x * (1.0 - smoothstep(0.15, 0.5, width.x)), near.y * (1.0 - smoothstep(0.15, 0.5, width.y)));
    }

    float contours() {
      float at = place.y * float(${LOOKS.contours}) / grid;
      float width = max(fwidth(at), 1e-6);
      float near = 1.0 - smoothstep(0.4 * width, 1.4 * width, abs(fract(at - 0.5) - 0.5));
      return near * (1.0 - smoothstep(0.15, 0.5, width));
    }

    void main() {
      vec2 beyond = max(abs(place.xz - middle.xy) - middle.zw + margin, 0.0) / margin;
      float alpha = 1.0 - smoothstep(0.1, 1.0, length(beyond));
      if (alpha <= 0.0) discard;
      vec3 normal = normalize(facing) * (facing.y < 0.0 ? -1.0 : 1.0);
      float level = smoothstep(0.3, 0.7, abs(normal.y));  // upright faces have no lines: they would be all line
      float drawn = max(float(${LOOKS.line}) * lines(grid), float(${LOOKS.fifth}) * lines(5.0 * grid));
      float flat_ = smoothstep(0.0005, 0.01, 1.0 - normal.y);  // level ground would be all line
      drawn = max(drawn, float(${LOOKS.contour}) * flat_ * contours()) * level;
      vec3 soil = mix(colour, steep, smoothstep(0.02, 0.3, 1.0 - normal.y));
      if (kind > 0.5) {
        soil = kind < 1.5 ? tread : kind < 2.5 ? nosing : wall;
        drawn = 0.0;
      }
      float lit;
      pixel = display(shone(mix(soil, line, drawn), place, normal, lit), alpha);
    }
  `,
};

const MARK = {
  vertex: `#version 300 es
    layout(location = 0) in vec2 corner;
    layout(location = 1) in vec3 place;
    layout(location = 2) in vec3 normal;
    layout(location = 3) in vec2 span;
    uniform mat4 view;
    uniform float radius;
    uniform float time;
    uniform vec2 shown;  // whether planted feet and footprints are
    out vec2 at;
    flat out float strength;
    flat out float planted;

    void main() {
      bool standing = time >= span.x && time < span.y;
      planted = standing ? 1.0 : 0.0;
      float print = time < span.x ? 0.0 : float(${LOOKS.left}) * exp(float(${LOOKS.fading}) * (span.y - time));
      strength = standing ? shown.x : shown.y * print;
      vec3 across = normalize(cross(normal, vec3(0.0, 0.0, 1.0) + 0.01 * normal.zxy));
      vec3 along = cross(across, normal);
      at = corner;
      vec3 here = place + radius * (corner.x * across + corner.y * along + 0.1 * normal);
      gl_Position = strength < 0.02 ? vec4(2.0, 2.0, 2.0, 1.0) : view * vec4(here, 1.0);
      gl_Position.z -= 2e-4 * gl_Position.w;  // in front of ground that curves through it
    }
  `,
  fragment: `#version 300 es
    precision highp float;
    in vec2 at;
    flat in float strength;
    flat in float planted;
    uniform vec3 colour;
    out vec4 pixel;

    void main() {
      float r = length(at);
      float soft = fwidth(r);
      float disc = 1.0 - smoothstep(1.0 - soft, 1.0, r);
      float ring = disc * smoothstep(float(${LOOKS.ring}) - soft, float(${LOOKS.ring}), r);
      float alpha = strength * max(float(${LOOKS.ring_opacity}) * ring, float(${LOOKS.disc_opacity}) * disc);
      pixel = vec4(pow(colour, vec3(1.0 / 2.2)) * alpha, alpha);
      float print = strength * (1.0 - smoothstep(0.2, 1.0, r)) * (1.0 - float(${LOOKS.print_shade}));
      if (planted == 0.0) pixel = vec4(vec3(0.0), print);  // darkens the ground
    }
  `,
};

// The path of a foot through the air: a segment as wide on the window wherever it is. What is still ahead is fainter.
const ARC = {
  vertex: `#version 300 es
    layout(location = 0) in vec2 corner;
    layout(location = 1) in vec3 start;
    layout(location = 2) in vec3 stop;
    layout(location = 3) in vec3 span;  // the time at its start; when its foot leaves the ground, and lands
    uniform mat4 view;
    uniform vec2 across;  // half its width, over half the window's
    uniform float time;
    out float strength;

    void main() {
      vec4 a = view * vec4(start, 1.0), b = view * vec4(stop, 1.0);
      vec2 along = normalize((b.xy / b.w - a.xy / a.w) / across + 1e-6);
      gl_Position = corner.x > 0.5 ? b : a;
      gl_Position.xy += corner.y * vec2(-along.y, along.x) * across * gl_Position.w;
      strength = span.x < time ? 0.9 : 0.35;
      if (time < span.y || time > span.z || min(a.w, b.w) <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
  `,
  fragment: `#version 300 es
    precision highp float;
    in float strength;
    uniform vec3 colour;
    out vec4 pixel;

    void main() {
      pixel = vec4(pow(colour, vec3(1.0 / 2.2)), 1.0) * strength;
    }
  `,
};

// What the standing feet span.
const SUPPORT = {
  vertex: `#version 300 es
    layout(location = 0) in vec4 corner;  // its place, and 0 in the middle to 1 at the edge
    uniform mat4 view;
    out float edge;

    void main() {
      edge = corner.w;
      gl_Position = view * vec4(corner.xyz, 1.0);
    }
  `,
  fragment: `#version 300 es
    precision highp float;
    in float edge;
    uniform vec3 colour;
    out vec4 pixel;

    void main() {
      float rim = smoothstep(1.0 - 3.0 * fwidth(edge), 1.0 - 1.5 * fwidth(edge), edge);
      pixel = vec4(pow(colour, vec3(1.0 / 2.2)), 1.0) * mix(0.22, 0.8, rim);
    }
  `,
};

// The sky down to the horizon, and far ground below it, with haze between; the same in every column.
const SKY = {
  vertex: `#version 300 es
    out float height;

    void main() {
      vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
      height = corner.y;
      gl_Position = vec4(corner, 0.0, 1.0);
    }
  `,
  fragment: `#version 300 es
    precision highp float;
    in float height;
    uniform vec3 top;
    uniform vec3 low;
    uniform vec3 far;
    uniform float back;  // how high the eye is above its target, and how upright its up is
    uniform float up;
    uniform float raise;
    out vec4 pixel;

    void main() {
      float tangent = float(${Math.tan(0.5 * LOOKS.field)}) * (height - raise);
      float sine = (tangent * up - back) / length(vec2(tangent, 1.0));
      float part = smoothstep(0.0, float(${LOOKS.haze}), abs(sine));
      vec3 end = sine > 0.0 ? top : far;
      pixel = vec4(mix(pow(low, vec3(1.0 / 2.2)), pow(end, vec3(1.0 / 2.2)), part), 1.0);
    }
  `,
};

#version 430
// A compute shader for OpenGL 4.3 and newer: one invocation for each limb. Paste two_link.glsl in the place of the
// include, or compile with an extension that includes files (glslangValidator, GL_GOOGLE_include_directive).
#extension GL_GOOGLE_include_directive : enable
#include "two_link.glsl"

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Targets { vec4 targets[]; };
layout(std430, binding = 1) writeonly buffer Rotations { vec4 rotations[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= targets.length()) return;
    TwoLinkSolution s = two_link_solve(0.45, 0.42, targets[i].xyz, vec3(0.0, 0.0, 1.0), vec3(0.0));
    rotations[2 * i] = s.first_rotation;
    rotations[2 * i + 1] = s.second_rotation;
}


// Limbs on a square field, each reaching for a target that circles above it; two_link.wgsl stands before this file.
struct Clock { seconds: f32, count: f32, aspect: f32, unused: f32 }

@group(0) @binding(0) var<storage, read_write> joints: array<f32>;
@group(0) @binding(1) var<uniform> clock: Clock;
@group(0) @binding(2) var<storage, read> solved: array<f32>;

@compute @workgroup_size(64)
fn solve_limbs(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x + id.y * 64u * 65535u;
    if (i >= u32(clock.count)) { return; }
    let side = u32(ceil(sqrt(clock.count)));
    let origin = vec3f(f32(i % side), 0.0, f32(i / side));
    let phase = clock.seconds * 2.0 + f32(i % 97u);
    let target_ = origin + vec3f(0.35 * cos(phase), 0.45, 0.35 * sin(phase));
    let s = two_link_solve(0.45, 0.42, target_, vec3f(0.0, 0.0, 1.0), origin);
    let places = array<vec3f, 3>(origin, s.middle, s.tip);
    for (var k = 0u; k < 3u; k++) {
        joints[9u * i + 3u * k] = places[k].x;
        joints[9u * i + 3u * k + 1u] = places[k].y;
        joints[9u * i + 3u * k + 2u] = places[k].z;
    }
}

struct Vertex { @builtin(position) place: vec4f, @location(0) shade: f32 }

@vertex
fn place(@builtin(vertex_index) vertex: u32, @builtin(instance_index) limb: u32) -> Vertex {
    let joint = 9u * limb + 3u * ((vertex + 1u) / 2u);
    let side = ceil(sqrt(clock.count));
    let p = vec3f(solved[joint], solved[joint + 1u], solved[joint + 2u]);
    // A camera above the front edge of the field, looking down at it by 25 degrees.
    let view = vec3f(p.x - 0.5 * side, p.y - 2.5, p.z + 3.0);
    let ahead = 0.906 * view.z - 0.423 * view.y;
    let above = 0.906 * view.y + 0.423 * view.z;
    return Vertex(vec4f(1.5 * view.x / clock.aspect, 1.5 * above, 0.5 * ahead, ahead), f32(vertex) / 3.0);
}

@fragment
fn paint(@location(0) shade: f32) -> @location(0) vec4f {
    return vec4f(mix(vec3f(0.35, 0.55, 0.9), vec3f(0.95, 0.75, 0.35), shade), 1.0);
}

"""GLSL and WGSL run in headless Chromium (WebGL 2, WebGPU on SwiftShader); GLSL and HLSL compile to valid SPIR-V."""

from __future__ import annotations

import base64

import numpy as np
import pytest

import limbik
from limbik.exporting.language import Unit, pascal
from limbik.exporting.languages import LANGUAGES
from tests.chromium import OPTIONS, chromium
from tests.exporting import rows
from tests.exporting.rows import CASES, ROWS, Case
from tests.exporting.toolchains import run, tool
from tests.optional import optional
from tests.thoroughness import THOROUGH

MOST = 20_000  # rows that travel to the browser and back
SOME = {"two_link", "three_link_hint_position_branches", "three_link_last_limits"}
CHOSEN = [case for case in CASES if THOROUGH or case.name in SOME]
# Errors in units of the number type's rounding; of joints, times the size of the limb.
JOINTS, ROTATIONS, ANGLES = 8, 8, 8
FLAGS = ("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan")

WEBGL = """
async ({ source, names, ins, inputs, count, outs }) => {
  const gl = document.createElement("canvas").getContext("webgl2");
  const compile = (kind, text) => {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    return shader;
  };
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl.VERTEX_SHADER, source));
  const plain = "#version 300 es\\nprecision highp float;out vec4 c;void main(){c=vec4(0.0);}";
  gl.attachShader(program, compile(gl.FRAGMENT_SHADER, plain));
  gl.transformFeedbackVaryings(program, names, gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, inputs, gl.STATIC_DRAW);
  for (let k = 0; k < ins / 4; k++) {
    const place = gl.getAttribLocation(program, `in${k}`);
    if (place < 0) continue;
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 4 * ins, 16 * k);
  }
  const out = gl.createBuffer();
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, out);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 4 * outs * count, gl.STATIC_READ);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, count);
  gl.endTransformFeedback();
  const found = new Float32Array(outs * count);
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, found);
  return found.buffer;
}
"""
WEBGPU = """
async ({ source, ins, inputs, count, outs }) => {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const module = device.createShaderModule({ code: source });
  for (const message of (await module.getCompilationInfo()).messages)
    if (message.type === "error") throw new Error(`${message.lineNum}: ${message.message}`);
  const usage = GPUBufferUsage;
  const given = device.createBuffer({ size: 4 * ins * count, usage: usage.STORAGE | usage.COPY_DST });
  device.queue.writeBuffer(given, 0, inputs);
  const made = device.createBuffer({ size: 4 * outs * count, usage: usage.STORAGE | usage.COPY_SRC });
  const read = device.createBuffer({ size: 4 * outs * count, usage: usage.MAP_READ | usage.COPY_DST });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
  const buffers = [given, made].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: buffers });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(count / 64));
  pass.end();
  encoder.copyBufferToBuffer(made, 0, read, 0, 4 * outs * count);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  return read.getMappedRange().slice(0);
}
"""


@pytest.fixture(scope="module")
def page():
    """A page of a secure origin, as WebGPU wants."""
    playwright = optional("playwright.sync_api")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium(), args=[*OPTIONS, *FLAGS])
        page = browser.new_page()
        page.route(
            "https://shaders.test/*", lambda route: route.fulfill(body="<canvas></canvas>", content_type="text/html")
        )
        page.goto("https://shaders.test/")
        yield page
        browser.close()


def unit(case: Case) -> Unit:
    return Unit(case.name, [case.name], case.functions.functions("float32"), "float32")


def pieces(function, numbers, vector, suffix=""):
    """The arguments of a call, from the numbers of a row."""
    arguments, first = [], 0
    for item in function.inputs:
        own = numbers[first : first + item.size]
        arguments.append(own[0] if item.size == 1 else f"{vector}{item.size}{suffix}({', '.join(own)})")
        first += item.size
    return ", ".join(arguments)


def results(function, number="float({})", truth="({} ? 1.0 : 0.0)"):
    """The numbers of a result."""
    found = []
    for field in function.output.fields:
        place = f"s.{field.name}"
        if field.kind == "flag":
            found.append(truth.format(place))
        elif field.size == 1:
            found.append(number.format(place))
        else:
            found += [f"{place}.{axis}" for axis in "xyzw"[: field.size]]
    return found


def in_webgl(page, case: Case, table: np.ndarray) -> np.ndarray:
    one = unit(case)
    function = one.functions[0]
    ins = -(-table.shape[1] // 4) * 4
    numbers = [f"in{k // 4}.{'xyzw'[k % 4]}" for k in range(table.shape[1])]
    found = results(function)
    names = [f"out{k}" for k in range(-(-len(found) // 4))]
    stores = [f"  {names[k // 4]}.{'xyzw'[k % 4]} = {text};" for k, text in enumerate(found)]
    source = "\n".join(
        [
            "#version 300 es",
            *(f"in vec4 in{k};" for k in range(ins // 4)),
            *(f"out vec4 {name};" for name in names),
            LANGUAGES["glsl"](one).file(),
            "void main() {",
            f"  {pascal(one.name)}Solution s = {one.name}_solve({pieces(function, numbers, 'vec')});",
            *(f"  {name} = vec4(0.0);" for name in names),
            *stores,
            "  gl_Position = vec4(0.0);",
            "}",
        ]
    )
    padded = np.zeros((len(table), ins), np.float32)
    padded[:, : table.shape[1]] = table
    outs = 4 * len(names)
    given = {"source": source, "names": names, "ins": ins, "count": len(table), "outs": outs}
    return answered(page, WEBGL, given, padded)[:, : len(found)]


def in_webgpu(page, case: Case, table: np.ndarray) -> np.ndarray:
    one = unit(case)
    function = one.functions[0]
    numbers = [f"given[i * {table.shape[1]}u + {k}u]" for k in range(table.shape[1])]
    found = results(function, number="f32({})", truth="select(0.0, 1.0, {})")
    source = "\n".join(
        [
            "@group(0) @binding(0) var<storage, read> given: array<f32>;",
            "@group(0) @binding(1) var<storage, read_write> made: array<f32>;",
            LANGUAGES["wgsl"](one).file(),
            "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {",
            "  let i = id.x;",
            f"  if (i >= {len(table)}u) {{ return; }}",
            f"  let s = {one.name}_solve({pieces(function, numbers, 'vec', 'f')});",
            *(f"  made[i * {len(found)}u + {k}u] = {text};" for k, text in enumerate(found)),
            "}",
        ]
    )
    given = {"source": source, "ins": table.shape[1], "count": len(table), "outs": len(found)}
    return answered(page, WEBGPU, given, table)


def answered(page, script: str, given: dict, table: np.ndarray) -> np.ndarray:
    """What a script answers for a table of numbers."""
    numbers = base64.b64encode(np.ascontiguousarray(table, np.float32).tobytes()).decode()
    whole = f"""async (given) => {{
      const bytes = Uint8Array.from(atob(given.inputs), (letter) => letter.charCodeAt(0));
      const found = new Uint8Array(await ({script})({{ ...given, inputs: new Float32Array(bytes.buffer) }}));
      let text = "";
      for (let k = 0; k < found.length; k += 4096) text += String.fromCharCode(...found.subarray(k, k + 4096));
      return btoa(text);
    }}"""
    found = base64.b64decode(page.evaluate(whole, {**given, "inputs": numbers}))
    return np.frombuffer(found, np.float32).reshape(len(table), -1)


@pytest.mark.parametrize("language", ["glsl", "wgsl"])
def test_shaders_answer_as_limbik_does(page, answers, language):
    dtype = np.dtype(np.float32)
    run_in = {"glsl": in_webgl, "wgsl": in_webgpu}[language]
    worst = {}
    for case in CHOSEN:
        given = {name: values[:MOST] for name, values in rows.inputs(case, ROWS, dtype).items()}
        table = np.concatenate(list(given.values()), axis=1)
        found = run_in(page, case, table)
        worst[case.name] = errors(case, given, found, answers(case, dtype, "c")[:MOST])
    print(language, worst)  # shown where the test fails
    for name, (joints, rotations, angles) in worst.items():
        assert joints <= JOINTS and rotations <= ROTATIONS and angles <= ANGLES, (name, worst[name])


def errors(case: Case, given, found, wanted) -> tuple[float, float, float]:
    """The largest errors of joints, rotations and angles in ordinary rows; NaN must be where limbik has it.

    Where sines decide which of two poses is nearest, five numbers in a thousand may be those of the other pose.
    """
    program = case.functions.program
    sizes = [program.answers[answer].size for answer in case.answers]
    places = dict(zip(case.answers, np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1]), strict=True))
    joints = places["joints"]
    assert (np.isnan(found[:, joints]) == np.isnan(wanted[:, joints])).all()
    assert (np.isnan(wanted[:, joints[0]]) == (found[:, places["report"][0]] == 4)).all()
    table = np.concatenate(list(given.values()), axis=1)
    size = np.abs(table).max(axis=1)
    plain = ((np.abs(table) > 1e-6) & (np.abs(table) < 1e6) | (table == 0)).all(axis=1)
    singular = places["report"][program.report.index("singular")]
    plain &= found[:, singular] == wanted[:, singular]
    epsilon = np.finfo(np.float32).eps
    with np.errstate(invalid="ignore"):
        gaps = np.abs(found - wanted) / epsilon
    turned = gaps[plain][:, places["angles"]]
    turned = np.minimum(turned, np.abs(turned - 2 * np.pi / epsilon))  # an angle of −π is one of π
    return tuple(
        float(np.nanquantile(numbers, 1.0 if case.exact else 0.995)) if numbers.size else 0.0
        for numbers in (
            gaps[plain][:, joints] / np.maximum(size, 1)[plain, None],
            gaps[plain][:, places["rotations"]] if "rotations" in places else np.zeros(0),
            turned,
        )
    )


def test_the_page_of_a_million_limbs(page, tmp_path):
    """The joints that the page's shader writes are those of limbs, and their tips are at the targets."""
    limbik.export("shaders").write(tmp_path)
    kinds = {".html": "text/html", ".js": "text/javascript", ".wgsl": "text/plain"}

    def serve(route):
        path = tmp_path / route.request.url.rsplit("/", 1)[1].split("?")[0]
        route.fulfill(body=path.read_text(), content_type=kinds[path.suffix])

    page.route("https://shaders.test/limbs/*", serve)
    count = 1_000_000 if THOROUGH else 20_000
    script = """async (count) => {
      const { start } = await import("https://shaders.test/limbs/million_limbs.js");
      const limbs = await start(count);
      limbs.solve(1.5);
      const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
      const read = limbs.device.createBuffer({ size: 36 * 1000, usage });
      const picture = limbs.device.createBuffer({ size: 4 * 512 * 256, usage });
      const use = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
      const texture = limbs.device.createTexture({ size: [512, 256], format: "rgba8unorm", usage: use });
      limbs.painter("rgba8unorm")(texture.createView());
      const encoder = limbs.device.createCommandEncoder();
      encoder.copyBufferToBuffer(limbs.joints, 36 * (count - 1000), read, 0, 36 * 1000);
      encoder.copyTextureToBuffer({ texture }, { buffer: picture, bytesPerRow: 4 * 512 }, [512, 256]);
      limbs.device.queue.submit([encoder.finish()]);
      await Promise.all([read.mapAsync(GPUMapMode.READ), picture.mapAsync(GPUMapMode.READ)]);
      const colours = Array.from(new Uint8Array(picture.getMappedRange()));
      return [Array.from(new Float32Array(read.getMappedRange())), colours];
    }"""
    numbers, colours = page.evaluate(script, count)
    joints = np.array(numbers).reshape(1000, 3, 3)
    lit = (np.array(colours).reshape(256, 512, 4)[..., :3] > 60).any(axis=-1)
    assert 0.05 < lit.mean() < 0.95 and lit[:, :256].mean() > 0.02 and lit[:, 256:].mean() > 0.02
    first, second = np.linalg.norm(np.diff(joints, axis=1), axis=-1).T
    assert np.abs(first - 0.45).max() < 2e-4 and np.abs(second - 0.42).max() < 2e-4  # at a distance of a thousand
    number = np.arange(count - 1000, count)
    side = int(np.ceil(np.sqrt(count)))
    assert np.abs(joints[:, 0, 0] - number % side).max() < 1e-3 and np.abs(joints[:, 2, 1] - 0.45).max() < 2e-4


@pytest.mark.parametrize("language", ["glsl", "hlsl"])
def test_shaders_compile_to_valid_spirv(language, tmp_path):
    compiler, validator = tool("glslangValidator"), tool("spirv-val")
    for case in CHOSEN:
        one = unit(case)
        function = one.functions[0]
        count = sum(item.size for item in function.inputs)
        numbers = [f"a[{k}]" for k in range(count)]
        call = pieces(function, numbers, "vec" if language == "glsl" else "float")
        body = f"{{ {pascal(one.name)}Solution s = {one.name}_solve({call}); a[0] = s.tip.x + s.residual; }}"
        source = LANGUAGES[language](one).file()
        if language == "glsl":
            head = "#version 430\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer A { float a[]; };\n"
            text, flags = f"{head}{source}void main() {body}\n", ("-V",)
        else:
            text = f"{source}RWStructuredBuffer<float> a;\n[numthreads(64, 1, 1)] void main() {body}\n"
            flags = ("-D", "-V", "-e", "main")
        path = tmp_path / f"{one.name}.comp"
        path.write_text(text)
        run(compiler, *flags, "-S", "comp", path, "-o", tmp_path / "out.spv")
        run(validator, tmp_path / "out.spv")


def test_the_compute_shader_compiles(tmp_path):
    limbik.export("shaders").write(tmp_path)
    run(tool("glslangValidator"), "-V", tmp_path / "million_limbs.comp", "-o", tmp_path / "out.spv")
    run(tool("spirv-val"), tmp_path / "out.spv")

// A million two-bone limbs on the GPU: each frame a compute shader moves the targets, solves every limb, and writes its
// joints; a second shader draws them as lines.
const SIZE = 9; // numbers of a limb: root, middle, tip

/** Prepares `count` limbs on the GPU. */
export async function start(count) {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("this browser has no WebGPU");
  const most = Math.min(adapter.limits.maxStorageBufferBindingSize, adapter.limits.maxBufferSize);
  if (4 * SIZE * count > most) throw new Error(`this GPU holds ${Math.floor(most / 4 / SIZE)} limbs at the most`);
  const requiredLimits = { maxStorageBufferBindingSize: most, maxBufferSize: most };
  const device = await adapter.requestDevice({ requiredLimits });
  const load = async (name) => (await fetch(new URL(name, import.meta.url))).text();
  const code = (await load("two_link.wgsl")) + (await load("million_limbs.wgsl"));
  const module = device.createShaderModule({ code });
  const joints = device.createBuffer({ size: 4 * SIZE * count, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const clock = device.createBuffer({ size: 16, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
  const solving = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "solve_limbs" } });
  const solveGroup = group(solving, [0, joints], [1, clock]);

  function group(pipeline, ...buffers) {
    const entries = buffers.map(([binding, buffer]) => ({ binding, resource: { buffer } }));
    return device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  }

  return {
    device,
    joints,

    /** Solves all limbs for a time in seconds; `aspect` is the width of the picture by its height. */
    solve(seconds, aspect = 2) {
      device.queue.writeBuffer(clock, 0, new Float32Array([seconds, count, aspect, 0]));
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(solving);
      pass.setBindGroup(0, solveGroup);
      const groups = Math.ceil(count / 64);
      pass.dispatchWorkgroups(Math.min(groups, 65535), Math.ceil(groups / 65535));
      pass.end();
      device.queue.submit([encoder.finish()]);
    },

    /** A function that draws the limbs, as lines, on views of textures of a format. */
    painter(format) {
      const pipeline = device.createRenderPipeline({
        layout: "auto",
        vertex: { module, entryPoint: "place" },
        fragment: { module, entryPoint: "paint", targets: [{ format }] },
        primitive: { topology: "line-list" },
      });
      const drawGroup = group(pipeline, [1, clock], [2, joints]);
      return (view) => {
        const clearValue = { r: 0.08, g: 0.09, b: 0.11, a: 1 };
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginRenderPass({ colorAttachments: [{ view, clearValue, loadOp: "clear", storeOp: "store" }] });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, drawGroup);
        pass.draw(4, Math.min(count, 100000)); // more lines than pixels show nothing new
        pass.end();
        device.queue.submit([encoder.finish()]);
      };
    },
  };
}

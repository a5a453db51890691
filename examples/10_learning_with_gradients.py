"""Gradients: learn the link lengths of arms from where their elbows were seen. Needs torch.

Answers are tensors where arguments are, on the same device, and their gradients are finite everywhere, at full stretch
and at singular poses too: a training loop needs no special cases.
"""

import torch

import limbik

torch.manual_seed(0)
targets = torch.randn(256, 3) * 0.3
true = limbik.TwoLink(0.31, 0.27)
seen = true.solve(targets, pole=(0.0, 1.0, 0.0)).joints[:, 1]  # elbows

lengths = torch.tensor([0.5, 0.5], requires_grad=True)
optimizer = torch.optim.Adam([lengths], lr=0.02)
for step in range(200):
    joints = limbik.TwoLink(lengths[0], lengths[1]).solve(targets, pole=(0.0, 1.0, 0.0)).joints
    loss = (joints[:, 1] - seen).square().sum(-1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 66 == 0:
        print(f"step {step:3d}: loss {loss.item():.2e}, lengths {lengths.detach().numpy().round(4)}")
print("learned", lengths.detach().numpy().round(3), "of", (0.31, 0.27))

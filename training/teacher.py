"""Sentence encoders that teach the static embedding: all-MiniLM-L6-v2 (Apache-2.0) and bge-small-en-v1.5 (MIT).

Run as a program it packs their published files into small ones (int8): the first from its safetensors, the second from its quantized
ONNX file. Both have the same BERT tokenizer.
"""

import argparse
import os
import shutil

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

INSTRUCTION = "Represent this sentence for searching relevant passages: "
LAYERS = {"bge": 12, "minilm": 6}


def state(path):
    packed, out = np.load(path), {}
    for name in packed.files:
        base, _, kind = name.partition("|")
        if kind == "":
            out[base] = packed[name]
        elif kind == "q":
            out[base] = packed[name].astype(np.float32) * packed[base + "|s"][:, None]
        elif kind == "u":
            out[base] = (packed[name].astype(np.float32) - float(packed[base + "|z"])) * packed[base + "|s"]
    return {k: torch.from_numpy(np.ascontiguousarray(v)) for k, v in out.items()}


def load(kind, folder, device):
    config = BertConfig(hidden_size=384, num_hidden_layers=LAYERS[kind], num_attention_heads=12, intermediate_size=1536, attn_implementation="sdpa")
    model = BertModel(config, add_pooling_layer=False)
    missing, unexpected = model.load_state_dict(state(f"{folder}/{kind}.npz"), strict=False)
    assert not [m for m in missing if "position_ids" not in m], missing
    return model.to(device, torch.bfloat16).eval()


@torch.inference_mode()
def embed(model, kind, ids, device, budget=400_000):
    """Unit vectors (fp16, on the device) of token id lists, longest first in batches of about equal work."""
    order = np.argsort([-len(x) for x in ids], kind="stable")
    out = torch.empty(len(ids), 384, dtype=torch.float16, device=device)
    at = 0
    while at < len(order):
        length = max(8, (len(ids[order[at]]) + 7) // 8 * 8)
        rows = order[at : at + max(1, budget // length)]
        batch = np.zeros((len(rows), length), np.int64)
        for i, r in enumerate(rows):
            batch[i, : len(ids[r])] = ids[r]
        tokens = torch.from_numpy(batch).to(device)
        mask = tokens != 0
        hidden = model(input_ids=tokens, attention_mask=mask).last_hidden_state.float()
        if kind == "bge":
            pooled = hidden[:, 0]
        else:
            pooled = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
        out[torch.from_numpy(rows).to(device)] = F.normalize(pooled, dim=-1).half()
        at += len(rows)
    return out


def tokenize(texts, folder, most):
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.enable_truncation(most)
    out = []
    for i in range(0, len(texts), 100_000):
        out += [np.array(e.ids, np.int32) for e in tokenizer.encode_batch_fast(texts[i : i + 100_000])]
    return out


MATRICES = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense")


def pack_minilm(path):
    from safetensors.numpy import load_file

    out = {}
    for name, values in load_file(path).items():
        if values.ndim == 2 and values.size > 10_000:
            scale = np.abs(values).max(1) / 127
            out[name + "|q"], out[name + "|s"] = np.round(values / scale[:, None]).astype(np.int8), scale.astype(np.float32)
        elif values.dtype == np.float32:
            out[name] = values
    return out


def pack_bge(path):
    """The weights of the matrix products have lost their names in the file; they follow each other in the order of MATRICES."""
    import onnx

    parts = {i.name: onnx.numpy_helper.to_array(i) for i in onnx.load(path).graph.initializer}
    products = [n[: -len("_quantized")] for n in parts if n.startswith("onnx::MatMul") and n.endswith("_quantized")]
    out = {n: v for n, v in parts.items() if v.dtype == np.float32 and not n.endswith("_scale")}
    for i, name in enumerate(sorted(products, key=lambda n: int(n.split("_")[1]))):
        key = f"encoder.layer.{i // len(MATRICES)}.{MATRICES[i % len(MATRICES)]}.weight"
        centred = parts[name + "_quantized"].astype(np.int16) - parts[name + "_zero_point"]
        out[key + "|q"], out[key + "|s"] = centred.astype(np.int8).T.copy(), parts[name + "_scale"]
    for table in ("word", "token_type", "position"):
        key = f"embeddings.{table}_embeddings.weight"
        out[key + "|u"], out[key + "|s"], out[key + "|z"] = (parts[key + end] for end in ("_quantized", "_scale", "_zero_point"))
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--minilm", required=True, help="model.safetensors of all-MiniLM-L6-v2")
    p.add_argument("--bge", required=True, help="the quantized ONNX file of bge-small-en-v1.5")
    p.add_argument("--tokenizer", required=True, help="tokenizer.json of either")
    p.add_argument("--out", required=True)
    options = p.parse_args()
    os.makedirs(options.out, exist_ok=True)
    np.savez_compressed(os.path.join(options.out, "minilm.npz"), **pack_minilm(options.minilm))
    np.savez_compressed(os.path.join(options.out, "bge.npz"), **pack_bge(options.bge))
    shutil.copy(options.tokenizer, os.path.join(options.out, "tokenizer.json"))


if __name__ == "__main__":
    main()

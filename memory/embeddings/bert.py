"""BERT's forward pass as one call out of Python: a third of the library's time.

A short text spends most of its time between the operations, and in reading weights from
memory. So the pass is recorded once by TorchScript, which also runs it without holding
Python's lock, and weights are kept in half precision where the processor can multiply
by them. The result is the same to the sixth digit, which `memory.embeddings.local`
checks when it loads.
"""

import warnings
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from memory.embeddings.base import Vector
from memory.embeddings.pieces import WordPieces


class BertEncoder:
    """Embeds by a BERT model with mean pooling (Devlin et al., 2019).

    `model` is the transformers BertModel; texts are cut at `max_tokens`.
    """

    def __init__(self, model: Any, tokenizer: Any, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self._pieces = WordPieces(tokenizer)
        network = _Network(model).eval()
        ids = torch.tensor([[0, 1, 2], [2, 1, 0]])
        # A single text has no padding to be left out of attention.
        self._one = _recorded(network, ids[:1])
        self._several = _recorded(network, ids, torch.ones_like(ids).bool())

    def encode_words(self, texts: Sequence[str]) -> list[Vector]:
        """Return per text its vector and below it those of its words, in one pass."""
        tokens = self._tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=self._max_tokens,
            return_tensors="np",
        )
        ids, mask = tokens["input_ids"], tokens["attention_mask"]
        with torch.inference_mode():
            if len(texts) == 1:
                hidden = self._one(torch.from_numpy(ids))
            else:
                hidden = self._several(
                    torch.from_numpy(ids), torch.from_numpy(mask).bool()
                )
        return [
            self._sheet(row[:length], vectors[:length])
            for row, vectors, length in zip(
                ids, hidden.numpy(), mask.sum(axis=1).tolist(), strict=True
            )
        ]

    def _sheet(self, ids: Any, vectors: Vector) -> Vector:
        words = self._pieces.words(ids, vectors)
        return np.concatenate([vectors.mean(axis=0, keepdims=True), words])


class _Network(nn.Module):
    """Token ids to the last hidden state, (texts, tokens, width)."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        embeddings = model.embeddings
        self.words = embeddings.word_embeddings
        # Single texts are all of token type 0.
        positions = embeddings.position_embeddings.weight
        types = embeddings.token_type_embeddings.weight
        self.register_buffer("positions", (positions + types[0]).detach())
        self.norm = embeddings.LayerNorm
        heads = int(model.config.num_attention_heads)
        self.layers = nn.ModuleList(
            _Layer(layer, heads) for layer in model.encoder.layer
        )

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Compute for (texts, tokens) ids; `mask` is false where there is padding."""
        positions = cast(Tensor, self.positions)[: ids.shape[1]]
        x: Tensor = self.norm(self.words(ids) + positions)
        attended = None if mask is None else mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attended)
        return x


class _Layer(nn.Module):
    """Attention and what follows it, the three projections of attention joined."""

    def __init__(self, layer: Any, heads: int) -> None:
        super().__init__()
        attention = layer.attention.self
        self.heads = heads
        self.projection = _linear(attention.query, attention.key, attention.value)
        self.out = _linear(layer.attention.output.dense)
        self.attention_norm = layer.attention.output.LayerNorm
        self.grow = _linear(layer.intermediate.dense)
        self.shrink = _linear(layer.output.dense)
        self.norm = layer.output.LayerNorm

    def forward(self, x: Tensor, attended: Tensor | None) -> Tensor:
        texts, tokens, width = x.shape
        apart = self.projection(x).view(texts, tokens, 3, self.heads, -1)
        query, key, value = (apart[:, :, n].transpose(1, 2) for n in range(3))
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=attended
        )
        joined = mixed.transpose(1, 2).reshape(texts, tokens, width)
        x = self.attention_norm(x + self.out(joined))
        inner = functional.gelu(self.grow(x))
        normalised: Tensor = self.norm(x + self.shrink(inner))
        return normalised


class _HalfLinear(nn.Module):
    """A linear layer whose weights are in half precision, its results in single."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.packed = torch.ops.quantized.linear_prepack_fp16(weight, bias)

    def forward(self, x: Tensor) -> Tensor:
        product: Tensor = torch.ops.quantized.linear_dynamic_fp16(x, self.packed)
        return product


def _linear(*layers: Any) -> nn.Module:
    """Return linear layers of one input as one layer, for this processor."""
    weight = torch.cat([layer.weight for layer in layers]).detach()
    bias = torch.cat([layer.bias for layer in layers]).detach()
    if torch.backends.quantized.engine in {"fbgemm", "x86"}:
        return _HalfLinear(weight, bias)
    joined = nn.Linear(weight.shape[1], weight.shape[0])
    joined.weight, joined.bias = nn.Parameter(weight), nn.Parameter(bias)
    return joined


def _recorded(network: nn.Module, *example: Tensor) -> Any:
    """Return the network as one call; it takes any number of texts and tokens.

    torch.compile, which PyTorch recommends instead, needs a C++ compiler to be there.
    """
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        traced = torch.jit.trace(  # type: ignore[no-untyped-call]
            network, example, check_trace=False
        )
        return torch.jit.freeze(traced)

"""What makes a store believable: writers and their certificates, heads, how far they cover each stream, checkpoints.

Nothing here knows what entries mean. The floor believes its own store no further than `coverage` says, and the audit
judges by the same signatures. `merkle` and `notes` only compute; `witness` asks somebody else's service over the
network.
"""

from punto.proof.merkle import (
    EMPTY_ROOT,
    Frontier,
    Leaves,
    Tiles,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    tile_path,
    tree_root,
    verify_consistency,
    verify_inclusion,
)
from punto.proof.notes import (
    Algorithm,
    Checkpoint,
    Note,
    OpenNote,
    Signature,
    VerifierKey,
    cosign,
    cosigned_at_s,
    open_note,
    sign,
    sign_note,
    verifier_key,
)
from punto.proof.witness import Cosignatures, Witness, WitnessSize, add_checkpoint

__all__ = [
    "EMPTY_ROOT",
    "Algorithm",
    "Checkpoint",
    "Cosignatures",
    "Frontier",
    "Leaves",
    "Note",
    "OpenNote",
    "Signature",
    "Tiles",
    "VerifierKey",
    "Witness",
    "WitnessSize",
    "add_checkpoint",
    "consistency_proof",
    "cosign",
    "cosigned_at_s",
    "inclusion_proof",
    "leaf_hash",
    "node_hash",
    "open_note",
    "sign",
    "sign_note",
    "tile_path",
    "tree_root",
    "verifier_key",
    "verify_consistency",
    "verify_inclusion",
]

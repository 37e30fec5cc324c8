"""What makes a model of any family tiny: small sizes by their names in configurations, and what some need besides."""

from __future__ import annotations

from typing import Any

from tests.models.huggingface.families import D_VOCAB

Values = dict[str, Any]
SIZES: Values = {
    name: size
    for size, names in {
        32: "hidden_size d_model n_embd dim embed_dim embedding_size emb_dim word_embed_proj_dim encoder_hidden_size "
        "d_embed projection_dim hidden_size_per_layer_input entity_emb_size out_hidden_size text_hidden_size "
        "condition_dim audio_hidden_size projector_hidden_size projection_intermediate_size projection_hidden_dim "
        "backbone_hidden_size adapter_in_dim adapter_out_dim adapter_input_size",
        4: "num_attention_heads n_head n_heads encoder_attention_heads decoder_attention_heads num_heads "
        "num_encoder_attention_heads num_decoder_attention_heads num_self_attention_heads num_cross_attention_heads "
        "num_experts num_local_experts n_routed_experts moe_num_experts qk_rope_head_dim qk_nope_head_dim rotary_dim",
        2: "num_key_value_heads num_kv_heads num_hidden_layers n_layer n_layers num_layers encoder_layers "
        "decoder_layers num_decoder_layers num_encoder_layers num_experts_per_tok moe_k top_k moe_topk "
        "experts_per_token eos_token_id decoder_start_token_id",
        8: "head_dim d_kv d_head attention_head_size kv_channels v_head_dim global_head_dim",
        48: "intermediate_size d_ff ffn_dim encoder_ffn_dim decoder_ffn_dim n_inner hidden_dim moe_intermediate_size "
        "shared_expert_intermediate_size d_inner ff_dim ffn_hidden_size expert_ffn_hidden_size "
        "moe_shared_expert_intermediate_size intermediate_size_mlp",
        16: "q_lora_rank kv_lora_rank",
        160: "max_position_embeddings n_positions max_seq_len max_sequence_length seq_length attention_chunk_size "
        "max_inference_chunksize",
        1: "n_group topk_group n_groups num_expert_group n_shared_experts pad_token_id",
        0: "bos_token_id",
        D_VOCAB: "vocab_size unpadded_vocab_size vocab_size_per_layer_input entity_vocab_size pronunciation_vocab_size "
        "shape_vocab_size",
    }.items()
    for name in names.split()
}
WIDE = {"hidden_size": 512, "out_hidden_size": 512, "text_hidden_size": 512, "head_dim": 128}
"""Heads that are as wide as those of checkpoints: Qwen2-VL divides their dimensions among time, height and width."""
CHOSEN_KEYS: Values = {"index_topk": 4}
CHOSEN_BLOCKS: Values = {
    "index_block_size": 2,
    "index_topk_blocks": 2,
    "index_local_blocks": 1,
    "layer_types": ["full_attention", "minimax_m3_sparse"],
}
SMALL_PICTURES: Values = {"base_channels": 32, "latent_channels": 32, "num_res_blocks": 1, "channel_multiplier": [1, 2]}
SMALL_SOUNDS: Values = {"num_filters": 2, "depths": [1] * 7}
ALSO: dict[str, Values] = {
    **dict.fromkeys(("deepseek_v32", "glm_moe_dsa", "axk2", "mistral_large4_text", "hy_v4"), CHOSEN_KEYS),
    "align_vision_model": {"width_coefficient": 0.25, "depth_coefficient": 1.0, "hidden_dim": 80},
    "bailing_hybrid": {"linear_head_dim": 8},
    "bamba": {"mamba_n_heads": 8, "mamba_d_head": 8, "attn_layer_indices": [1]},
    "blt": {"encoder_hash_byte_group_vocab": 100},
    "bridgetower": {"hidden_size": 64},
    "bridgetower_text_model": {"hidden_size": 64},
    "bridgetower_vision_model": {"hidden_size": 64, "image_size": 32},
    "chameleon": {"vocabulary_map": {"<image>": 3}},
    "chameleon_vqgan": SMALL_PICTURES,
    "clap_audio_model": {
        "depths": [1, 1, 1, 1],
        "num_attention_heads": [1, 2, 2, 4],
        "patch_embeds_hidden_size": 8,
        "hidden_size": 64,
    },
    "cohere_compass_text": {
        "layer_types": ["full_attention"] * 2,
        "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [2, 1, 1]}},
    },
    "csm": {"text_vocab_size": D_VOCAB},
    "dac": {"encoder_hidden_size": 8, "decoder_hidden_size": 16, "codebook_size": 16},
    "dbrx": {"attn_config": {"rope_theta": 1e4, "clip_qkv": 8.0}},
    "deberta": {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
    "deberta-v2": {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
    "deepseek_ocr2_text": {"mlp_layer_types": ["dense", "sparse"], "num_experts_per_tok": 2},
    "diffusion_gemma_text": {"top_k_experts": 2},
    "dots3_note_text": CHOSEN_KEYS | {"layer_types": ["indexed_attention"] * 2},
    "dots3_note_vision_encoder": {"mlp_layer_types": ["dense", "sparse"]},
    "encodec": {"num_filters": 4, "codebook_size": 16, "codebook_dim": 32},
    "encoder-decoder": {
        "decoder": {
            "model_type": "bert",
            "vocab_size": D_VOCAB,
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "intermediate_size": 48,
            "is_decoder": True,
            "add_cross_attention": True,
        }
    },
    "ernie4_5_vl_moe_text": {
        "moe_intermediate_size": [48, 48],
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [1, 1, 2]},
    },
    "falcon_h1": {"mamba_chunk_size": 16},
    "fastspeech2_conformer_hifigan": {"upsample_initial_channel": 16},
    "fun_asr_nano": {"adaptor_config": {"intermediate_size": 8}},
    "gemma3n_text": {
        "layer_types": ["sliding_attention", "full_attention"] * 2,
        "num_hidden_layers": 4,
        "num_kv_shared_layers": 2,
        "intermediate_size": 48,
        "activation_sparsity_pattern": [0.0] * 4,
    },
    "gemma4_assistant": {"text_config": {"hidden_size_per_layer_input": 0, "vocab_size_per_layer_input": 0}},
    "gemma4_unified_assistant": {
        "text_config": {
            "layer_types": ["sliding_attention", "full_attention"] * 2,
            "num_hidden_layers": 4,
            "num_kv_shared_layers": 2,
        },
    },
    "glm4v_moe_text": {"hidden_size": 256, "head_dim": 128},
    "glm4v_moe_vision": {"out_hidden_size": 256},
    "glm4v_text": {"hidden_size": 256},
    "glm4v_vision": {"out_hidden_size": 256},
    "glm5_next_text": CHOSEN_KEYS
    | {
        "index_kpool": 2,
        "qk_rope_head_dim": 0,
        "linear_head_dim": 8,
        "linear_num_heads": 4,
        "mlp_layer_types": ["dense", "sparse"],
    },
    "glm_image_text": {"hidden_size": 256, "vision_vocab_size": D_VOCAB},
    "glm_image_vision": {"hidden_size": 256},
    "glm_ocr_text": {"hidden_size": 256, "head_dim": 64},
    "glm_ocr_vision": {"out_hidden_size": 256},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]], "window_size": 4},
    "granite4_vision": {
        "downsample_rate": "2/4",
        "deepstack_layer_map": [[-1, 0]],
        "spatial_target_layers": [1, 1, 1, 1],
        "vision_config": {"hidden_size": 64},
        "qformer_config": {"hidden_size": 64, "encoder_hidden_size": 64},
    },
    "granitemoehybrid": {"mamba_n_heads": 8, "mamba_d_head": 8, "layer_types": ["mamba", "attention"]},
    "hunyuan_vl_text": {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [1, 1, 1, 1]}},
    "inkling2_text": {"swa_num_attention_heads": 4, "swa_num_key_value_heads": 2, "swa_head_dim": 8},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1},
    "janus_vqgan": SMALL_PICTURES,
    "kimi_linear": {"linear_head_dim": 8, "linear_num_heads": 4},
    "kyutai_speech_to_text": {"codebook_vocab_size": 16, "num_codebooks": 2, "audio_pad_token_id": 600 + 32},
    "layoutlmv3": {"coordinate_size": 4, "shape_size": 8},
    "led": {"attention_window": 4},
    "lfm2": {"layer_types": ["conv", "full_attention"]},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"]},
    "lilt": {"hidden_size": 48},
    "longcat_flash": {"head_dim": 4, "zero_expert_num": 2},
    "longformer": {"attention_window": 4},
    "mamba2": {"num_heads": 8, "head_dim": 8},
    "mimi": {
        "num_filters": 4,
        "codebook_size": 16,
        "codebook_dim": 16,
        "vector_quantization_hidden_dimension": 16,
        "upsample_groups": 32,
    },
    "minimax_m3_vl_text": CHOSEN_BLOCKS,
    "molmo2": {"adapter_config": {"vision_feature_layer": [0, 1]}},
    "muse_spark_audio": {"patch_sizes": [2, 2], "hidden_sizes": [8, 16], "depths": [1, 1]},
    "nemotron_h": {"mamba_num_heads": 8, "mamba_head_dim": 8, "n_groups": 1, "chunk_size": 16},
    "nemotron3_5_transcribe_word_timestamp": {"blank_token_id": 0},
    "qwen2_5_vl_text": {"hidden_size": 512},
    "qwen2_5_vl_vision": {"out_hidden_size": 512},
    "qwen4_exp_text": {
        "indexer_n_heads": 2,
        "indexer_kv_heads": 1,
        "indexer_head_dim": 8,
        "indexer_budget": 4,
        "indexer_compress_ratio": 2,
        "ple_layer_ids": [1],
        "ple_embed_dim": 32,
        "heads_per_ngram": 2,
        "ngram_vocab_size_base": 1100,
        "split_ngram_parts": 2,
        "make_ngram_vocab_size_divisible_by": 8,
        "hc_lowrank": 8,
    },
    "recurrent_gemma": {"block_types": ["recurrent", "attention"]},
    "reformer": {"axial_pos_embds_dim": (16, 16), "axial_pos_shape": (8, 20)},
    "resnet": {"embedding_size": 8, "hidden_sizes": [8] * 4, "depths": [1] * 4},
    "seamless_m4t": {
        "speech_encoder_intermediate_size": 48,
        "t2u_vocab_size": D_VOCAB,
        "unit_hifi_gan_vocab_size": D_VOCAB,
        "t2u_encoder_ffn_dim": 48,
        "t2u_decoder_ffn_dim": 48,
    },
    "seamless_m4t_v2": {
        "speech_encoder_intermediate_size": 48,
        "t2u_vocab_size": D_VOCAB,
        "unit_hifi_gan_vocab_size": D_VOCAB,
        "char_vocab_size": D_VOCAB,
        "speech_encoder_chunk_size": 160,
        "t2u_encoder_ffn_dim": 48,
        "t2u_decoder_ffn_dim": 48,
    },
    "step3p5": {"sliding_window": 8},
    "t5gemma2_encoder": {"text_config": {"dropout_rate": 0.0}},
    "tvp": {"visual_prompt_size": 8, "max_img_size": 32},
    "vibevoice_acoustic_tokenizer": SMALL_SOUNDS,
    "vibevoice_acoustic_tokenizer_encoder": SMALL_SOUNDS,
    "vits": {"upsample_initial_channel": 16},
    "xmod": {"default_language": "en_XX"},
    "zamba": {"layers_block_type": ["linear_attention", "hybrid"] * 2, "num_hidden_layers": 4},
    "zamba2": {"layers_block_type": ["linear_attention", "hybrid"] * 2, "num_hidden_layers": 4, "n_mamba_heads": 8}
    | {"chunk_size": 16},
    "zaya": {"num_experts_per_tok": 1},
}
"""What configurations are told besides, by their own names in transformers, those of parts of others among them: a
pattern of layers, sizes that must fit, what their checkpoints always have."""

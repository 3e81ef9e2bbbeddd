import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { bedrock } from "./bedrock.ts";
import { createChatVendor } from "./chat-vendor.ts";
import { cohere } from "./cohere.ts";
import { deepgram } from "./deepgram.ts";
import { elevenLabs } from "./elevenlabs.ts";
import { extractive } from "./extractive.ts";
import { gemini } from "./gemini.ts";
import { genericOpenAi } from "./generic-openai.ts";
import { kokoro } from "./kokoro.ts";
import { localServers } from "./local-servers.ts";
import { modelHosts } from "./model-hosts.ts";
import { modelMakers } from "./model-makers.ts";
import { modelRouters } from "./model-routers.ts";
import { native } from "./native.ts";
import { ollama } from "./ollama.ts";
import { openAi } from "./openai.ts";
import { piper } from "./piper.ts";
import type { Vendor } from "./vendor.ts";
import { voyage } from "./voyage.ts";
import { whisper } from "./whisper.ts";

/**
 * In the order of the forms, which group them by where data goes; the first of each capability is
 * the default.
 */
export const vendors: readonly Vendor[] = [
  extractive,
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

import type { ProviderDeclaration } from "@carrel/contracts";
import anthropic from "@lobehub/icons-static-svg/icons/anthropic.svg?inline";
import azure from "@lobehub/icons-static-svg/icons/azure-color.svg?inline";
import bedrock from "@lobehub/icons-static-svg/icons/bedrock-color.svg?inline";
import cerebras from "@lobehub/icons-static-svg/icons/cerebras-color.svg?inline";
import cohere from "@lobehub/icons-static-svg/icons/cohere-color.svg?inline";
import cometApi from "@lobehub/icons-static-svg/icons/cometapi-color.svg?inline";
import deepSeek from "@lobehub/icons-static-svg/icons/deepseek-color.svg?inline";
import elevenLabs from "@lobehub/icons-static-svg/icons/elevenlabs.svg?inline";
import fireworks from "@lobehub/icons-static-svg/icons/fireworks.svg?inline";
import gemini from "@lobehub/icons-static-svg/icons/gemini-color.svg?inline";
import giteeAi from "@lobehub/icons-static-svg/icons/giteeai.svg?inline";
import groq from "@lobehub/icons-static-svg/icons/groq.svg?inline";
import huggingFace from "@lobehub/icons-static-svg/icons/huggingface-color.svg?inline";
import lmStudio from "@lobehub/icons-static-svg/icons/lmstudio.svg?inline";
import microsoft from "@lobehub/icons-static-svg/icons/microsoft-color.svg?inline";
import minimax from "@lobehub/icons-static-svg/icons/minimax-color.svg?inline";
import mistral from "@lobehub/icons-static-svg/icons/mistral-color.svg?inline";
import moonshot from "@lobehub/icons-static-svg/icons/moonshot.svg?inline";
import novita from "@lobehub/icons-static-svg/icons/novita-color.svg?inline";
import nvidia from "@lobehub/icons-static-svg/icons/nvidia-color.svg?inline";
import ollama from "@lobehub/icons-static-svg/icons/ollama.svg?inline";
import openAi from "@lobehub/icons-static-svg/icons/openai.svg?inline";
import openRouter from "@lobehub/icons-static-svg/icons/openrouter.svg?inline";
import perplexity from "@lobehub/icons-static-svg/icons/perplexity-color.svg?inline";
import ppio from "@lobehub/icons-static-svg/icons/ppio-color.svg?inline";
import sambaNova from "@lobehub/icons-static-svg/icons/sambanova-color.svg?inline";
import together from "@lobehub/icons-static-svg/icons/together-color.svg?inline";
import voyage from "@lobehub/icons-static-svg/icons/voyage.svg?inline";
import xai from "@lobehub/icons-static-svg/icons/xai.svg?inline";
import zai from "@lobehub/icons-static-svg/icons/zai.svg?inline";
import { Globe } from "lucide-react";
import { providerInitials } from "../../lib/provider-form.ts";
import datastax from "./logos/datastax.svg?inline";
import deepgram from "./logos/deepgram.svg?inline";
import dell from "./logos/dell.svg?inline";
import docker from "./logos/docker.svg?inline";
import milvus from "./logos/milvus.svg?inline";
import postgresql from "./logos/postgresql.svg?inline";
import qdrant from "./logos/qdrant.svg?inline";
import zilliz from "./logos/zilliz.svg?inline";

// The logos in logos/ are from Simple Icons (https://simpleicons.org, CC0 1.0), whose package is
// large.
// Data URLs rather than files: a list would otherwise send forty requests.

/** Logos in colours that stand out on both themes, by provider. */
export const colouredLogos: Readonly<Record<string, string>> = {
  azure,
  bedrock,
  cerebras,
  cohere,
  cometapi: cometApi,
  deepseek: deepSeek,
  foundry: microsoft,
  gemini,
  huggingface: huggingFace,
  minimax,
  mistral,
  novita,
  "nvidia-nim": nvidia,
  perplexity,
  ppio,
  sambanova: sambaNova,
  togetherai: together,
};

/** Logos that take the colour of text, by provider. */
export const plainLogos: Readonly<Record<string, string>> = {
  anthropic,
  astra: datastax,
  deepgram,
  "docker-model-runner": docker,
  dpais: dell,
  elevenlabs: elevenLabs,
  fireworksai: fireworks,
  giteeai: giteeAi,
  groq,
  lmstudio: lmStudio,
  milvus,
  moonshotai: moonshot,
  ollama,
  openai: openAi,
  openrouter: openRouter,
  pgvector: postgresql,
  qdrant,
  voyageai: voyage,
  xai,
  zai,
  zilliz,
};

/** Carrel itself: the C of its wordmark (in index.html). */
const own = ["extractive", "local-gguf", "native"];

/** The provider's logo or, without one, its initials. */
export default function ProviderLogo({
  id,
  name,
  inBrowser,
}: Pick<ProviderDeclaration, "id" | "name" | "inBrowser">) {
  if (id === "native" && inBrowser === true) return <Globe />;
  if (own.includes(id))
    return (
      <svg className="text-fg-1" viewBox="2.5 3 18 18">
        <use href="#wordmark" />
      </svg>
    );
  const coloured = colouredLogos[id];
  if (coloured !== undefined) return <img src={coloured} alt="" />;
  const plain = plainLogos[id];
  if (plain === undefined) return providerInitials(name);
  return (
    <span
      className="bg-fg-1 mask-contain mask-center mask-no-repeat forced-color-adjust-none"
      style={{ maskImage: `url("${plain}")` }}
    />
  );
}

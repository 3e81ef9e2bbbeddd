import { notEmpty, optional, webAddress, type SettingField } from "@carrel/contracts";
import { hostedLimits, localLimits } from "../http/run-request.ts";
import { listVendorModels, type ModelListing } from "../openai/model-listing.ts";
import { OpenAiSpeechModel, OpenAiTranscriptionModel } from "../openai/openai-audio-models.ts";
import type { OpenAiEndpoint } from "../openai/openai-client.ts";
import { readOrigin, type SettingValues } from "../setting-values.ts";
import type { SpeechModel, TranscriptionModel } from "../spec/audio-model.ts";
import { addressField, modelField } from "./chat-vendor.ts";
import type { AudioCapability, EndpointOptions, Vendor } from "./vendor.ts";

/** Fields of the forms for speech, dictation and transcription (wire-contract.md 11.4). */
export const audioAddress = (key: string, placeholder: string, candidates?: readonly string[]) =>
  addressField(key, placeholder, {
    ...(candidates !== undefined && { candidates: [...candidates] }),
    check: webAddress,
  });

export const audioModel = (key: string, preferred?: string, more: Partial<SettingField> = {}) =>
  modelField(key, preferred, {
    check: preferred === undefined ? notEmpty : optional(notEmpty),
    ...more,
  });

export const audioVoice = (key: string, preferred?: string, more: Partial<SettingField> = {}) => ({
  ...modelField(key, preferred, { label: "voice", check: notEmpty, ...more }),
  role: "voice" as const,
});

/** A field of the form and what it is for. */
type AudioField = SettingField & { role: "address" | "key" | "model" | "voice" };

/** A vendor with OpenAI's routes for audio, as data from which the rest is derived. */
interface AudioPreset {
  /** A hosted vendor's base URL; otherwise the address in the settings. */
  baseUrl?: string;
  /** Turns the address in the settings into a base URL; by default it is used as is. */
  toBaseUrl?: (address: string) => string;
  /** In the order of the form. */
  fields: readonly AudioField[];
  /** Used if the form has no model. */
  model?: string;
  list?: ModelListing;
}

type Identity = Pick<Vendor, "id" | "name">;

const asAddress = (address: string): string => address.replace(/\/+$/, "");

/** Reads the values of the form's fields by their roles. */
function readPreset(
  { name }: Identity,
  { baseUrl, toBaseUrl = asAddress, fields, model }: AudioPreset,
) {
  const keys = new Map(fields.map(({ role, key }) => [role, key]));
  const read = (values: SettingValues, role: AudioField["role"]): string | undefined => {
    const key = keys.get(role);
    return key === undefined ? undefined : values.find(key);
  };
  return {
    model: (values: SettingValues): string =>
      keys.has("model") ? values.get(keys.get("model")!) : model!,
    voice: (values: SettingValues): string => values.get(keys.get("voice")!),
    endpoint(values: SettingValues, options: EndpointOptions, needsKey = true): OpenAiEndpoint {
      const address = keys.get("address");
      const base =
        address === undefined ? (options.baseUrl ?? baseUrl!) : toBaseUrl(values.get(address));
      const isRequired = fields.some(({ role, required }) => role === "key" && required);
      const apiKey = needsKey && isRequired ? values.get(keys.get("key")!) : read(values, "key");
      return {
        vendor: {
          name,
          origin: readOrigin(base),
          secrets: apiKey === undefined ? [] : [apiKey],
        },
        baseUrl: base,
        apiKey,
        limits: { ...(address === undefined ? hostedLimits : localLimits), ...options.limits },
      };
    },
  };
}

const withoutRoles = (fields: readonly AudioField[]): SettingField[] =>
  fields.map(({ role: _role, ...field }) => field);

/** The form and the model of a vendor with OpenAI's route for speech. */
export function createSpeech(
  identity: Identity,
  preset: AudioPreset,
): AudioCapability<SpeechModel> {
  const read = readPreset(identity, preset);
  return {
    fields: withoutRoles(preset.fields),
    create: (values, options) =>
      new OpenAiSpeechModel({
        provider: identity.id,
        endpoint: read.endpoint(values, options),
        model: read.model(values),
        voice: read.voice(values),
      }),
  };
}

/**
 * The form, the model and the list of a vendor with OpenAI's route for transcription. `segments`
 * requests when each part was said.
 */
export function createTranscription(
  identity: Identity,
  { segments, ...preset }: AudioPreset & { segments: boolean },
): AudioCapability<TranscriptionModel> {
  const read = readPreset(identity, preset);
  const { fields, list } = preset;
  return {
    fields: withoutRoles(fields),
    create: (values, options) =>
      new OpenAiTranscriptionModel({
        provider: identity.id,
        endpoint: read.endpoint(values, options),
        model: read.model(values),
        segments,
      }),
    ...(list && {
      listModels: (values, options, signal) =>
        listVendorModels(read.endpoint(values, options, !list.fallback), list, signal),
    }),
  };
}

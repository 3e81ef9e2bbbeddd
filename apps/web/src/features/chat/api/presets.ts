import {
  createPreset,
  deletePreset,
  getWelcomeMessages,
  listPresets,
  listSuggestedMessages,
  updatePreset,
  type Out,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export type Preset = Out<typeof listPresets>["presets"][number];
export interface PresetFields {
  command: string;
  prompt: string;
  description: string;
}

/** The user's own slash commands. */
export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: ({ signal }) => call(listPresets, {}, { signal }),
  select: (reply) => reply.presets,
});
const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["presets"] });
export async function savePreset(id: number | null, fields: PresetFields): Promise<void> {
  await (id === null ? call(createPreset, fields) : call(updatePreset, { ...fields, id }));
  await refresh();
}
export async function removePreset(id: number): Promise<void> {
  await call(deletePreset, { id });
  await refresh();
}

/** The welcome messages and suggested questions of an empty chat; rendering waits for neither. */
export const welcomeQuery = queryOptions({
  queryKey: ["welcome-messages"],
  queryFn: ({ signal }) =>
    call(getWelcomeMessages, {}, { signal }).catch((error: unknown) => {
      // Text fixed by specification 1, section 8.
      if (!signal.aborted) console.error("Could not fetch welcome messages.", error);
      throw error;
    }),
  select: (reply) => reply.welcomeMessages,
});
export const suggestionsQuery = (slug: string) =>
  queryOptions({
    queryKey: ["suggested-messages", slug],
    queryFn: ({ signal }) => call(listSuggestedMessages, { slug }, { signal }),
    select: (reply) =>
      reply.suggestedMessages
        .filter((each) => each.message.trim() !== "" || each.heading.trim() !== "")
        .slice(0, 4),
  });

import {
  describeField,
  providerChoiceKeys,
  type ProviderDeclaration,
  type SettingField,
} from "@carrel/contracts";
import { StoreValues, type Store, type StoreOptions, type StoreSettings } from "./store.ts";
import { stores } from "./stores.ts";
import { VectorStoreError, type VectorModel, type VectorStore } from "./vector-store.ts";

/** Settings forms of the vector stores, the default first. */
export const vectorProviders: ProviderDeclaration[] = stores.map(
  ({ id, name, group, keyUrl, fields }) => ({
    id,
    name,
    kind: "vector",
    group,
    ...(keyUrl !== undefined && { keyUrl }),
    listsModels: false,
    fields: fields.map(describeField),
  }),
);

/** Every field of every form, with its validation. */
export const vectorFields: readonly SettingField[] = stores.flatMap((store) => store.fields);

/**
 * Settings that are tested against the server before they are saved, mapped to their store's id.
 */
export const triedSettings: ReadonlyMap<string, string> = new Map(
  stores.flatMap(({ id, triedSetting }) =>
    triedSetting === undefined ? [] : [[triedSetting, id] as const],
  ),
);

/** The store chosen in the settings. Throws VectorStoreError for an unknown one. */
export function chosenStore(settings: StoreSettings): Store {
  const chosen = settings[providerChoiceKeys.vector]?.trim() || stores[0].id;
  const store = stores.find(({ id }) => id === chosen);
  if (!store)
    throw new VectorStoreError(
      { code: "vector-store.unknown", params: { store: chosen } },
      { isRetryable: false },
    );
  return store;
}

/**
 * Settings from environment variables, if no store is chosen or the chosen one has no address yet;
 * otherwise none.
 */
export function settingsFromEnvironment(
  settings: StoreSettings,
  variables: Readonly<Record<string, string | undefined>>,
): StoreSettings {
  const chosen = settings[providerChoiceKeys.vector];
  for (const { id, environment } of stores) {
    if (environment === undefined || (chosen && chosen !== id)) continue;
    const [address] = Object.keys(environment);
    if (!variables[environment[address!]!] || (chosen && settings[address!])) continue;
    const values = Object.entries(environment).flatMap(([key, variable]) => {
      const value = variables[variable];
      return value === undefined ? [] : [[key, value] as const];
    });
    return { [providerChoiceKeys.vector]: id, ...Object.fromEntries(values) };
  }
  return {};
}

const readValues = (store: Store, settings: StoreSettings): StoreValues =>
  new StoreValues(store.name, settings);

/**
 * Names the place that the settings point to, e.g. `qdrant http://localhost:6333`. Settings with
 * the same place share their vectors, whatever the keys and passwords. Throws VectorStoreError for
 * an unknown store.
 */
export function vectorPlace(settings: StoreSettings): string {
  const store = chosenStore(settings);
  return [store.id, ...store.place(readValues(store, settings))].join(" ");
}

/** Names the place of the store's text index. */
export function textPlace(settings: StoreSettings): string {
  return "open" in chosenStore(settings) ? vectorPlace(settings) : vectorPlace({});
}

/** Display name; null is the store for text indexes that have none of their own. */
export const storeName = (id: string | null): string =>
  (stores.find((store) => store.id === id) ?? stores[0]).name;

/** Whether other instances may keep vectors in the same place. */
export const isSharedStore = (id: string): boolean =>
  stores.find((store) => store.id === id)?.group !== "builtin";

/**
 * Opens the store chosen in the settings. Contacts no server yet: failures surface in the calls as
 * `VectorStoreError`, but missing settings throw immediately. Stores with the same text index
 * return the same object as `text`, so switching between them keeps it.
 */
export async function openVectorStore(options: StoreOptions): Promise<VectorStore> {
  const store = chosenStore(options.settings);
  const values = readValues(store, options.settings);
  if ("open" in store) return store.open(values, options);
  const { openPairedStore } = await import("./paired-store.ts");
  return openPairedStore(
    store.name,
    await store.openDriver(values, options),
    vectorPlace(options.settings),
    options,
  );
}

/**
 * Resolves when the store is reachable, accepts the key and, if a model is given, can hold its
 * vectors. Otherwise throws a `VectorStoreError`. Leaves nothing behind.
 */
export async function checkVectorStore({
  model,
  ...options
}: StoreOptions & { model?: VectorModel }): Promise<void> {
  try {
    const store = chosenStore(options.settings);
    const values = readValues(store, options.settings);
    // If the text index lives elsewhere, only the vector server is checked.
    const opened =
      "open" in store ? await store.open(values, options) : await store.openDriver(values, options);
    try {
      await opened.check(model);
    } finally {
      await opened.close();
    }
  } catch (cause) {
    throw cause instanceof VectorStoreError
      ? cause
      : new VectorStoreError(
          {
            code: "vector-store.unusable",
            params: { details: cause instanceof Error ? cause.message : String(cause) },
          },
          { isRetryable: true, cause },
        );
  }
}

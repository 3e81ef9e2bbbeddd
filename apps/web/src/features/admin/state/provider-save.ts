import { providerChoiceKeys, type ProviderDeclaration } from "@carrel/contracts";
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ProviderKind, Values } from "../../../lib/provider-form.ts";
import { providersQuery, useSaveSettings } from "../../../lib/providers.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast, undoing } from "../../../lib/toast.ts";

type Settings = Readonly<Record<string, unknown>>;

interface SettingsUndo {
  /** What to save; null unsets a setting. */
  values: Record<string, string | null>;
  /** Whether the save replaced or deleted a key, which no browser can restore. */
  losesKey: boolean;
}

/** Whether a secret was deleted, which the server does if it would go to another address. */
export const isKeyMissing = (
  secrets: ReadonlySet<string>,
  before: Settings,
  after: Settings,
): boolean => [...secrets].some((key) => before[key] === true && after[key] !== true);

/**
 * How to undo a save: restores the previous values, and unsets values that weren't set. Null if
 * nothing can be restored, for example because only a key was replaced.
 */
export function undoOf({
  kind,
  changes,
  before,
  after,
  chosen,
  secrets,
}: {
  kind: ProviderKind;
  /** What was saved. */
  changes: Values;
  /** The instance's settings before and after the save. */
  before: Settings;
  after: Settings;
  /** The previously chosen provider; null if there was none. */
  chosen: string | null;
  /** Keys of all secrets; the reply carries only whether they are saved, never the values. */
  secrets: ReadonlySet<string>;
}): SettingsUndo | null {
  const values: Record<string, string | null> = {};
  let losesKey = isKeyMissing(secrets, before, after);
  for (const key of Object.keys(changes)) {
    const value = before[key];
    if (key === providerChoiceKeys[kind]) values[key] = chosen;
    else if (secrets.has(key) && value === true) losesKey = true;
    else if (secrets.has(key)) values[key] = null;
    else
      values[key] =
        (typeof value === "string" || typeof value === "number") && value !== ""
          ? String(value)
          : null;
  }
  return Object.keys(values).length > 0 ? { values, losesKey } : null;
}

/** Saves a provider's settings; the toast can undo it, even once the form is closed. */
export function useProviderSave({
  provider,
  before,
  onUndone,
}: {
  provider: ProviderDeclaration;
  /** All of the instance's settings. */
  before: Record<string, unknown>;
  /** Receives the restored settings; null is unset. */
  onUndone: (restored: Record<string, unknown>) => void;
}) {
  const { t } = useTranslation("settings");
  const client = useQueryClient();
  const { data: providers } = useSuspenseQuery(providersQuery);
  const choice = providers[provider.kind];
  const isChosen = !("chosen" in choice) || choice.chosen;
  const secrets = new Set(
    providers.providers.flatMap(({ fields }) =>
      fields.filter(({ kind }) => kind === "secret").map(({ key }) => key),
    ),
  );
  const settings = useSaveSettings();
  const restoring = useSaveSettings();
  const readSaved = (): Record<string, unknown> =>
    client.getQueryData(setupQuery.queryKey)?.results ?? {};
  const restore = async ({ values, losesKey }: SettingsUndo): Promise<void> => {
    await restoring.mutateAsync(values);
    onUndone(values);
    if (isKeyMissing(secrets, before, readSaved())) toast.info(t("undone.keyMissing"));
    else if (losesKey) toast.info(t("undone.keyKept"));
    else toast.success(t("undone.all"));
  };
  const save = (changes: Values, onSaved: () => void): void =>
    settings.mutate(changes, {
      onSuccess: () => {
        onSaved();
        const undo = undoOf({
          kind: provider.kind,
          changes,
          before,
          after: readSaved(),
          chosen: isChosen ? choice.provider : null,
          secrets,
        });
        const saved = t(`saved.${provider.kind}`);
        if (undo === null) toast.success(saved);
        else
          toast.success(
            undo.losesKey ? `${saved} ${t("undoLosesKey")}` : saved,
            undoing(() => restore(undo)),
          );
      },
    });
  return { settings, save };
}

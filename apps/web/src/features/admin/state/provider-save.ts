import type { ProviderDeclaration } from "@carrel/contracts";
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Values } from "../../../lib/provider-form.ts";
import { providersQuery, useSaveSettings } from "../../../lib/providers.ts";
import { isKeyMissing, undoOf, type SettingsUndo } from "../../../lib/settings-undo.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast, undoing } from "../../../lib/toast.ts";

/** Saves a provider's settings; the toast can undo it, even once the form is closed. */
export function useProviderSave({
  provider,
  before,
  onUndone,
}: {
  provider: ProviderDeclaration;
  /** All of the instance's settings. */
  before: Record<string, unknown>;
  /** Receives what was restored, to show it; null is unset. */
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

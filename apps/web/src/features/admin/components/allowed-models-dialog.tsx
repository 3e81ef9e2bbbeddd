import {
  allowedModelsLabel,
  updatePreferences,
  type AllowedModelChanges,
  type AllowedModels,
  type Args,
  type ProviderDeclaration,
} from "@carrel/contracts";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { call } from "../../../lib/api.ts";
import { listInput, type ListInput } from "../../../lib/provider-form.ts";
import { fetchModels } from "../../../lib/providers.ts";
import { instanceKeys, modelKeys } from "../../../lib/query-keys.ts";
import { toast, undoing } from "../../../lib/toast.ts";
import { PickList } from "./pick-list.tsx";

/** The models that a provider lists with its saved settings. */
const listedModelsQuery = (input: ListInput) =>
  queryOptions({
    queryKey: modelKeys.listed(input.provider),
    queryFn: () => fetchModels(input),
  });

/** Changes the limits of some providers. */
const useAllowModels = () =>
  useMutation({
    mutationFn: (changes: AllowedModelChanges) =>
      // The request body is the flat map itself.
      call(updatePreferences, { [allowedModelsLabel]: changes } as unknown as Args<
        typeof updatePreferences
      >),
    meta: { invalidates: [instanceKeys.providers, modelKeys.all], errorToast: false },
  });

/** Limits a provider to some of its models, or lifts the limit. */
export default function AllowedModelsDialog({
  provider,
  saved,
  allowed,
  onClose,
}: {
  provider: ProviderDeclaration;
  saved: Record<string, unknown>;
  allowed: AllowedModels;
  onClose: () => void;
}) {
  const { t } = useTranslation(["settings", "common"]);
  const before = allowed[provider.id];
  const listed = useQuery(listedModelsQuery(listInput(provider, {}, saved)));
  const [all, setAll] = useState(before === undefined);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(before));
  const save = useAllowModels();
  const names = new Map(listed.data?.map(({ id, name }) => [id, name ?? id]));
  // Allowed models stay in the list even if the provider doesn't list them.
  for (const id of before ?? []) if (!names.has(id)) names.set(id, id);
  const models = [...names];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // in React's tree the dialog is inside the provider's form
    if (save.isPending) return;
    save.mutate(
      { [provider.id]: all ? null : [...chosen] },
      {
        onSuccess: () => {
          toast.success(
            t("allowedModels.saved", { name: provider.name }),
            undoing(() => save.mutateAsync({ [provider.id]: before ?? null })),
          );
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("allowedModels.title", { name: provider.name })}
      description={t("allowedModels.help")}
    >
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <SwitchLine
          label={t("allowedModels.everyModel")}
          help={t("allowedModels.everyModelHelp")}
          on={all}
          onChange={setAll}
        />
        {!all && models.length > 0 && (
          <PickList
            label={t("allowedModels.label")}
            search={t("allowedModels.search")}
            items={models.map(([, name], id) => ({ id, name }))}
            selected={new Set([...models.keys()].filter((id) => chosen.has(models[id]![0])))}
            onChange={(next) => setChosen(new Set([...next].map((id) => models[id]![0])))}
          />
        )}
        {!all && listed.isPending && (
          <p className="text-fg-3" role="status">
            {t("allowedModels.loading")}
          </p>
        )}
        {!all && listed.error && (
          <Notice kind="bad">
            <p>{listed.error.message}</p>
          </Notice>
        )}
        {save.error && (
          <Notice kind="bad">
            <p>{t("allowedModels.failed", { message: save.error.message })}</p>
          </Notice>
        )}
        <DialogFooter>
          {!all && (
            <span className="min-w-0 flex-1 text-xs text-fg-3 tabular-nums" role="status">
              {t("allowedModels.some", { count: chosen.size })}
            </span>
          )}
          <Button variant="quiet" onClick={onClose}>
            {t("common:cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {t("allowedModels.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

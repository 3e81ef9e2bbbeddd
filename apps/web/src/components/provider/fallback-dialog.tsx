import { quotingProvider, type FallbackModel } from "@carrel/contracts";
import { Plus } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useSaveFallbacks, type FallbackList } from "../../lib/fallback-models.ts";
import { toast, undoing } from "../../lib/toast.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { FallbackEntry, modelOf, type Entry } from "./fallback-entry.tsx";

const most = 5;

const keyOf = ({ provider, model }: FallbackModel): string => JSON.stringify([provider, model]);

/** The list in its order; a workspace's may be left to the instance. */
export default function FallbackDialog({
  slug,
  list,
  onClose,
}: {
  slug: string | null;
  list: FallbackList;
  onClose: () => void;
}) {
  const { t } = useTranslation(["fallback", "common"]);
  const { providers } = list;
  const [isOwn, setIsOwn] = useState(list.models !== null);
  const [entries, setEntries] = useState<Entry[]>(
    (list.models ?? list.instance).map(({ provider, model }, id) => ({
      id,
      provider,
      model: model ?? "",
    })),
  );
  const save = useSaveFallbacks(slug);
  const models = entries.map(modelOf);
  const isRepeated = new Set(models.map(keyOf)).size < models.length;
  const change = (next: Entry[]): void => {
    setEntries(next);
    save.reset();
  };
  const add = (): void => {
    const provider = providers.find(({ id }) => id !== quotingProvider) ?? providers[0];
    if (!provider) return;
    const id = Math.max(-1, ...entries.map((each) => each.id)) + 1;
    change([...entries, { id, provider: provider.id, model: "" }]);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // in React's tree the dialog is inside another form
    if (save.isPending || isRepeated) return;
    save.mutate(isOwn ? models : null, {
      onSuccess: () => {
        toast.success(
          t("saved"),
          undoing(() => save.mutateAsync(list.models)),
        );
        onClose();
      },
    });
  };
  return (
    <Dialog open onClose={onClose} title={t("label")} description={t("help")}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        {slug !== null && (
          <label className="flex items-start gap-3">
            <Checkbox checked={isOwn} onChange={(event) => setIsOwn(event.target.checked)} />
            <span className="min-w-0">
              <span className="block">{t("own")}</span>
              <span className="block text-fg-2">{t("ownHelp")}</span>
            </span>
          </label>
        )}
        {isOwn && (
          <>
            {entries.length === 0 && <p className="text-fg-3">{t("empty")}</p>}
            <ol className="grid grid-cols-1 gap-3">
              {entries.map((entry, place) => (
                <FallbackEntry
                  key={entry.id}
                  entry={entry}
                  place={place + 1}
                  providers={providers}
                  onChange={(next) => change(entries.with(place, next))}
                  onUp={() =>
                    change(entries.with(place, entries[place - 1]!).with(place - 1, entry))
                  }
                  onRemove={() => change(entries.filter((each) => each !== entry))}
                />
              ))}
            </ol>
            {entries.length < most ? (
              <Button className="justify-self-start" onClick={add}>
                <Plus className="size-3.5 stroke-2" aria-hidden="true" />
                {t("add")}
              </Button>
            ) : (
              <p className="text-xs text-fg-3">{t("most", { count: most })}</p>
            )}
            {isRepeated && (
              <Notice kind="bad">
                <p>{t("repeated")}</p>
              </Notice>
            )}
          </>
        )}
        {save.error && (
          <Notice kind="bad">
            <p>{t("failed", { message: save.error.message })}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button type="submit" variant="primary" disabled={save.isPending || isRepeated}>
            {t("save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

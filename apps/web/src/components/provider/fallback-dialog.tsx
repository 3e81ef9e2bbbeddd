import { quotingProvider, type FallbackModel } from "@carrel/contracts";
import { ArrowUp, Plus, Trash2 } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import {
  fallbackName,
  useSaveFallbacks,
  type FallbackList,
  type FallbackProvider,
} from "../../lib/fallback-models.ts";
import { toast, undoing } from "../../lib/toast.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Checkbox } from "../ui/choices.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { Field, FieldLabel } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { SelectField } from "../ui/text-field.tsx";

/** A model being edited; without a name, it is the provider's own. */
interface Entry {
  /** Key for React. */
  id: number;
  provider: string;
  model: string;
}

const modelOf = ({ provider, model }: Entry): FallbackModel => ({
  provider,
  model: model.trim() || null,
});

/** One model of the list. */
function FallbackEntry({
  entry,
  place,
  providers,
  onChange,
  onUp,
  onRemove,
}: {
  entry: Entry;
  /** From 1. */
  place: number;
  providers: FallbackProvider[];
  onChange: (entry: Entry) => void;
  onUp: () => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation("fallback");
  const id = useId();
  const provider = providers.find((each) => each.id === entry.provider);
  const models = provider?.models ?? [];
  const name = fallbackName(modelOf(entry), providers);
  return (
    <li
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-3 max-md:grid-cols-1 max-md:rounded-md max-md:border max-md:border-subtle max-md:p-3"
      aria-label={t("entry", { place })}
    >
      <div className={entry.provider === quotingProvider ? "md:col-span-2" : undefined}>
        <SelectField
          label={t("provider")}
          value={entry.provider}
          onChange={(chosen) => onChange({ ...entry, provider: chosen, model: "" })}
        >
          {/* A saved provider that is no longer configured. */}
          {provider === undefined && <option value={entry.provider}>{entry.provider}</option>}
          {providers.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </SelectField>
      </div>
      {entry.provider !== quotingProvider && (
        <Field>
          <FieldLabel htmlFor={id}>{t("model")}</FieldLabel>
          <Combobox
            id={id}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            value={entry.model}
            placeholder={provider?.model ?? t("ownModel")}
            listLabel={t("models")}
            options={models.map((model) => ({
              value: model.id,
              text: model.name === model.id ? null : model.name,
              hint: null,
            }))}
            status={(found) => (found > 0 ? null : models.length > 0 ? t("unlisted") : t("noList"))}
            onOpen={() => undefined}
            onPick={({ value }) => onChange({ ...entry, model: value })}
            onChange={(event) => onChange({ ...entry, model: event.target.value })}
          />
        </Field>
      )}
      <span className="flex h-9 items-center gap-1 max-md:justify-end">
        <IconButton label={t("up", { name })} disabled={place === 1} onClick={onUp}>
          <ArrowUp />
        </IconButton>
        <IconButton label={t("remove", { name })} onClick={onRemove}>
          <Trash2 />
        </IconButton>
      </span>
    </li>
  );
}

const most = 5;

const keyOf = ({ provider, model }: FallbackModel): string => JSON.stringify([provider, model]);

/** The list in its order; a workspace's list may be left to the instance. */
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

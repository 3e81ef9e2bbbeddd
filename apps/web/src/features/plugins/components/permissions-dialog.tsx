import type { PluginDetail } from "@carrel/contracts";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Textarea,
} from "../../../components/ui/field.tsx";
import { joinNames } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { useConfirmPlugin } from "../api/plugins.ts";

const hostForm = /^(\*\.)?(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)(:\d{1,5})?$/i;

/** An admin confirms, or changes, what a plugin may do. */
export function PermissionsDialog({
  plugin,
  onClose,
}: {
  plugin: PluginDetail;
  onClose: () => void;
}) {
  const { t } = useTranslation("plugins");
  const { hubId, hash, name, proposed, granted, previous, isDeclared } = plugin;
  const start = granted ?? proposed;
  const [hosts, setHosts] = useState(start.hosts.join("\n"));
  const [storage, setStorage] = useState(start.storage);
  const [secrets, setSecrets] = useState<readonly string[]>(start.secrets);
  const [isSubmitted, setSubmitted] = useState(false);
  const confirm = useConfirmPlugin();
  const id = useId();
  const listed = hosts.split(/[\s,]+/).filter((host) => host !== "");
  const invalid = listed.find((host) => !hostForm.test(host));
  const added = proposed.hosts.filter(
    (host) => previous !== null && !previous.hosts.includes(host),
  );
  // Such as that of an address which was entered as an argument since.
  const missing = granted === null ? [] : proposed.hosts.filter((host) => !listed.includes(host));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSubmitted(true);
    if (invalid !== undefined || confirm.isPending) return;
    confirm.mutate(
      { hubId, hash, permissions: { hosts: listed, storage, secrets: [...secrets] } },
      {
        onSuccess: () => {
          toast.success(t("permissions.confirmed"));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("permissions.dialogTitle", { name })}
      description={t("permissions.dialogText")}
    >
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        {granted === null && (
          <p className="text-fg-2">
            {t(isDeclared ? "permissions.declared" : "permissions.scanned")}
          </p>
        )}
        <Field>
          <FieldLabel htmlFor={`${id}-hosts`}>{t("permissions.hosts")}</FieldLabel>
          <Textarea
            id={`${id}-hosts`}
            className="font-mono"
            dir="ltr"
            rows={Math.min(8, Math.max(3, listed.length + 1))}
            spellCheck={false}
            value={hosts}
            placeholder={t("permissions.hostsNone")}
            invalid={isSubmitted && invalid !== undefined}
            aria-describedby={`${id}-hosts-help`}
            onChange={(event) => setHosts(event.target.value)}
          />
          {isSubmitted && invalid !== undefined && (
            <FieldError role="alert">{t("permissions.hostInvalid", { host: invalid })}</FieldError>
          )}
          <FieldHelp id={`${id}-hosts-help`}>{t("permissions.hostsHelp")}</FieldHelp>
          {added.length > 0 && (
            <p className="flex flex-wrap items-center gap-2 text-xs">
              <Badge tone="warning">{t("permissions.added")}</Badge>
              <span className="font-mono" dir="ltr">
                {added.join(", ")}
              </span>
            </p>
          )}
          {missing.length > 0 && (
            <p className="flex flex-wrap items-center gap-2 text-xs">
              <span className="min-w-0 wrap-anywhere">
                {t("permissions.alsoNamed", { hosts: joinNames(missing) })}
              </span>
              <Button size="sm" onClick={() => setHosts([...listed, ...missing].join("\n"))}>
                {t("permissions.addHosts", { count: missing.length })}
              </Button>
            </p>
          )}
        </Field>
        {plugin.arguments.length > 0 && (
          <fieldset className="grid grid-cols-1 gap-1">
            <legend className="mb-1 font-medium">{t("permissions.secrets")}</legend>
            {plugin.arguments.map((argument) => (
              <Choice
                key={argument.name}
                label={argument.name}
                isMono
                isNew={previous !== null && !previous.secrets.includes(argument.name)}
                checked={secrets.includes(argument.name)}
                onChange={(on) =>
                  setSecrets([
                    ...secrets.filter((each) => each !== argument.name),
                    ...(on ? [argument.name] : []),
                  ])
                }
              />
            ))}
          </fieldset>
        )}
        <div>
          <Choice
            label={t("permissions.storage")}
            isNew={previous !== null && proposed.storage && !previous.storage}
            checked={storage}
            onChange={setStorage}
          />
          <FieldHelp className="ps-7">{t("permissions.storageHelp")}</FieldHelp>
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{t("permissions.cancel")}</Button>
          <Button type="submit" variant="primary" disabled={confirm.isPending}>
            {t("permissions.confirm")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Choice({
  label,
  isMono = false,
  isNew,
  checked,
  onChange,
}: {
  label: string;
  isMono?: boolean;
  isNew: boolean;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  const { t } = useTranslation("plugins");
  return (
    <label className="flex min-h-7 items-center gap-2.5 max-md:min-h-11">
      <Checkbox checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span className={isMono ? "min-w-0 font-mono text-sm wrap-anywhere" : "min-w-0"}>
        {label}
      </span>
      {isNew && <Badge tone="warning">{t("permissions.added")}</Badge>}
    </label>
  );
}

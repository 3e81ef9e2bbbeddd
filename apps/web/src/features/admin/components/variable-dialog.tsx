import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldError, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import type { PromptVariable } from "../../../lib/prompt-variables.ts";
import { toast } from "../../../lib/toast.ts";
import { useSaveVariable, type VariableFields } from "../api/variables.ts";

/** Creates or edits a prompt variable. */
export function VariableDialog({
  variable,
  variables,
  onClose,
}: {
  variable: PromptVariable | null;
  variables: PromptVariable[];
  onClose: () => void;
}) {
  const { t } = useTranslation("admin");
  const id = useId();
  const [fields, setFields] = useState({
    key: variable?.key ?? "",
    value: variable?.value ?? "",
    description: variable?.description ?? "",
  });
  const [checked, setChecked] = useState(false);
  const save = useSaveVariable();
  const faults = variableFaults(
    fields,
    variables.filter((other) => other !== variable),
  );
  const set = (change: Partial<typeof fields>): void => {
    setFields({ ...fields, ...change });
    save.reset();
  };
  const valueFault = checked && faults.value ? t(`variables.fault.${faults.value}`) : null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (save.isPending || faults.key || faults.value) return;
    const key = fields.key.trim();
    const onSuccess = (): void => {
      toast.success(t("variables.saved", { name: key }));
      onClose();
    };
    save.mutate({ id: variable?.id ?? null, fields: { ...fields, key } }, { onSuccess });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={variable ? t("variables.editTitle", { name: variable.key }) : t("variables.addTitle")}
      description={t("variables.dialogText")}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid grid-cols-1 gap-4" onSubmit={submit} noValidate>
        <TextField
          label={t("variables.key")}
          value={fields.key}
          maxLength={255}
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="ltr"
          help={t("variables.keyHelp")}
          problem={checked && faults.key ? t(`variables.fault.${faults.key}`) : null}
          onChange={(event) => set({ key: event.target.value })}
        />
        <Field>
          <FieldLabel htmlFor={id}>{t("variables.value")}</FieldLabel>
          <Textarea
            className="h-[76px]"
            id={id}
            invalid={Boolean(valueFault)}
            rows={4}
            maxLength={20_000}
            value={fields.value}
            aria-invalid={valueFault ? true : undefined}
            aria-describedby={valueFault ? `${id}-fault` : undefined}
            onChange={(event) => set({ value: event.target.value })}
          />
          {valueFault && (
            <FieldError id={`${id}-fault`} role="alert">
              {valueFault}
            </FieldError>
          )}
        </Field>
        <TextField
          label={t("variables.description")}
          extra={<span className="text-fg-3">{t("users.optional")}</span>}
          value={fields.description}
          maxLength={2_000}
          autoComplete="off"
          onChange={(event) => set({ description: event.target.value })}
        />
        {save.error && (
          <Notice kind="bad">
            <p>{save.error.message}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {save.isPending ? t("saving") : variable ? t("users.save") : t("variables.add")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

type VariableFault = "keyMissing" | "keyCharacters" | "keyLength" | "keyTaken" | "valueMissing";

/**
 * Errors that the instance would return, by field. `others` are the existing keys, including
 * built-in ones.
 */
export function variableFaults(
  { key, value }: VariableFields,
  others: readonly Pick<PromptVariable, "key">[],
): { key: VariableFault | null; value: VariableFault | null } {
  const name = key.trim();
  const fault =
    name === ""
      ? "keyMissing"
      : !/^[a-zA-Z0-9_]+$/.test(name)
        ? "keyCharacters"
        : name.length < 3 || name.length > 255
          ? "keyLength"
          : others.some((other) => other.key === name)
            ? "keyTaken"
            : null;
  return { key: fault, value: value.trim() === "" ? "valueMissing" : null };
}

import type { McpPromptWire } from "@carrel/contracts";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Textarea,
} from "../../../components/ui/field.tsx";
import { useMcpPrompt } from "../api/mcp-prompts.ts";

/** Asks for the arguments of an MCP server's prompt. */
export default function McpPromptDialog({
  slug,
  prompt,
  onText,
  onClose,
}: {
  slug: string;
  prompt: McpPromptWire;
  onText: (text: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const id = useId();
  const [values, setValues] = useState<Record<string, string>>({});
  const filling = useMcpPrompt(slug, { isForm: true });
  const filled = Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim()));
  const isReady = prompt.arguments.every(
    ({ name, isRequired }) => !isRequired || Object.hasOwn(filled, name),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !filling.isPending)
      filling.mutate(
        { prompt, values: filled },
        {
          onSuccess: ({ text }) => {
            onClose();
            onText(text);
          },
        },
      );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={prompt.title ?? prompt.name}
      description={t("promptHelp", { server: prompt.server })}
    >
      <form className="grid gap-4" onSubmit={submit}>
        {prompt.description !== "" && (
          <p className="whitespace-pre-line" dir="auto">
            {prompt.description}
          </p>
        )}
        {prompt.arguments.map(({ name, title, description, isRequired }, at) => (
          <Field key={name}>
            <FieldLabel htmlFor={`${id}-${at}`}>
              {isRequired ? (title ?? name) : t("promptOptional", { name: title ?? name })}
            </FieldLabel>
            <Textarea
              id={`${id}-${at}`}
              dir="auto"
              rows={2}
              maxLength={20_000}
              autoFocus={at === 0}
              aria-required={isRequired}
              aria-describedby={description === "" ? undefined : `${id}-${at}-help`}
              value={values[name] ?? ""}
              onChange={({ target }) => {
                setValues({ ...values, [name]: target.value });
                filling.reset();
              }}
            />
            {description !== "" && <FieldHelp id={`${id}-${at}-help`}>{description}</FieldHelp>}
          </Field>
        ))}
        {filling.error && <FieldError role="alert">{filling.error.message}</FieldError>}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancelWait")}
          </Button>
          <Button type="submit" variant="primary" disabled={!isReady || filling.isPending}>
            {t(filling.isPending ? "promptInserting" : "promptInsert")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

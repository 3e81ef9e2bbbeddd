import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, type RefObject } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Field, FieldHelp, labelStyles } from "../../../components/ui/field.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { useRights } from "../../../lib/current-user.ts";
import { variablesQuery } from "../../../lib/prompt-variables.ts";
import { insertAt } from "../state/workspace-form.ts";

/** The available prompt variables; clicking one inserts it at the cursor. */
export function PromptVariables({
  area,
  value,
  onChange,
}: {
  area: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onChange: (prompt: string) => void;
}) {
  const { t } = useTranslation("workspace");
  const id = useId();
  const variables = useQuery(variablesQuery);
  const { admin } = useRights();
  const insert = (key: string): void => {
    const field = area.current;
    const next = insertAt(
      value,
      `{${key}}`,
      field?.selectionStart ?? value.length,
      field?.selectionEnd ?? value.length,
    );
    flushSync(() => onChange(next.value));
    field?.focus();
    field?.setSelectionRange(next.caret, next.caret);
  };
  return (
    <Field>
      <div className={labelStyles}>
        <span id={id}>{t("variables")}</span>
        {admin && (
          <Link className={cn(linkStyles, "text-xs")} to="/settings/system-prompt-variables">
            {t("variablesManage")}
          </Link>
        )}
      </div>
      {variables.error ? (
        <FieldHelp>{t("variablesFailed", { message: variables.error.message })}</FieldHelp>
      ) : (
        <div
          className="flex max-h-[132px] flex-wrap gap-1.5 overflow-auto p-0.5 scrollbar-thin"
          role="group"
          aria-labelledby={id}
        >
          {(variables.data ?? []).map(({ key, description, type }) => (
            <button
              key={`${type} ${key}`}
              type="button"
              className="min-h-[26px] rounded-sm border border-line bg-raised px-2 font-mono text-xs font-[400] text-fg-2 hover:border-strong hover:text-fg-1 max-md:min-h-9 max-md:px-2.5"
              dir="ltr"
              title={description ?? undefined}
              aria-label={t("insert", { name: key })}
              onClick={() => insert(key)}
            >{`{${key}}`}</button>
          ))}
        </div>
      )}
      <FieldHelp>{t("variablesHelp")}</FieldHelp>
    </Field>
  );
}

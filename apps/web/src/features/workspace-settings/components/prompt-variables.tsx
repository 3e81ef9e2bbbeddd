import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, type RefObject } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
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
    <div className="field">
      <div className="lbl">
        <span id={id}>{t("variables")}</span>
        {admin && (
          <Link className="link xs" to="/settings/system-prompt-variables">
            {t("variablesManage")}
          </Link>
        )}
      </div>
      {variables.error ? (
        <p className="help">{t("variablesFailed", { message: variables.error.message })}</p>
      ) : (
        <div className="variables" role="group" aria-labelledby={id}>
          {(variables.data ?? []).map(({ key, description, type }) => (
            <button
              key={`${type} ${key}`}
              type="button"
              className="variable"
              dir="ltr"
              title={description ?? undefined}
              aria-label={t("insert", { name: key })}
              onClick={() => insert(key)}
            >{`{${key}}`}</button>
          ))}
        </div>
      )}
      <p className="help">{t("variablesHelp")}</p>
    </div>
  );
}

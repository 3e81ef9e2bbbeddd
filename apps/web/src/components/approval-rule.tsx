import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  ruleChange,
  rulesIn,
  useSavePreferences,
  type Preferences,
} from "../lib/agent-preferences.ts";
import "../lib/agent-texts.ts";
import { toast } from "../lib/toast.ts";
import { ChoiceCards } from "./ui/choices.tsx";
import { FormSection } from "./ui/form-section.tsx";

const choices = ["default", "ask", "forbid"] as const;
type Choice = (typeof choices)[number];

/** When calls of a skill or an MCP server need approval. */
export function ApprovalRule({
  skill,
  name,
  preferences,
}: {
  /** The skill's ID, or `mcp:<server>`. */
  skill: string;
  name: string;
  preferences: Preferences;
}) {
  const { t } = useTranslation("agents");
  const save = useSavePreferences();
  // Shown while it is being saved.
  const [chosen, choose] = useState<Choice | null>(null);
  const saved = rulesIn(preferences)[skill] ?? "default";
  const value = chosen ?? saved;
  const apply = (choice: Choice, onSuccess?: () => void): void => {
    choose(choice);
    save.mutate(ruleChange(skill, choice === "default" ? null : choice), {
      ...(onSuccess && { onSuccess }),
      onSettled: () => choose(null),
    });
  };
  const change = (choice: Choice): void => {
    if (save.isPending) return;
    apply(choice, () => toast.success(t("rule.saved", { skill: name }), () => apply(saved)));
  };
  return (
    <FormSection title={t("rule.title")} help={t(`rule.${value}Help`)}>
      <ChoiceCards
        name="approval-rule"
        label={t("rule.label")}
        value={value}
        options={choices.map((each) => ({ value: each, label: t(`rule.${each}`) }))}
        onChange={change}
      />
    </FormSection>
  );
}

import type { Out, listSkillPermissions } from "@carrel/contracts";
import { isSkill } from "@carrel/contracts/skill-declaration";
import { useTranslation } from "react-i18next";
import "../lib/agent-texts.ts";
import { useRemoveAllowedSkill } from "../lib/allowed-skills.ts";
import { formatAgo, joinFacts } from "../lib/format.ts";
import { toast } from "../lib/toast.ts";
import { SkillIcon } from "./skill-icon.tsx";
import { Button } from "./ui/button.tsx";

/** Skills that agents use for the person without asking, each with a way to take that back. */
export function AllowedSkills({
  skills,
}: {
  skills: Out<typeof listSkillPermissions>["permissions"];
}) {
  const { t } = useTranslation("agents");
  const remove = useRemoveAllowedSkill();
  const nameOf = (skill: string): string =>
    isSkill(skill) ? t(`skill.${skill}.name`) : skill.replace(/^(?:mcp:|@@)/, "");
  return (
    <ul className="grid grid-cols-1 divide-y divide-line rounded-md border border-line">
      {skills.map(({ skillName: skill, createdAt }) => {
        const name = nameOf(skill);
        return (
          <li key={skill} className="flex min-h-[52px] items-center gap-3 py-1.5 ps-3 pe-1.5">
            <SkillIcon skill={skill} className="size-4 flex-none text-fg-3" />
            <div className="min-w-0 flex-1">
              <p className="font-medium wrap-anywhere">
                <bdi>{name}</bdi>
              </p>
              <p className="text-xs text-fg-3">
                {joinFacts([
                  skill.startsWith("mcp:") && t("allowed.ofServer"),
                  t("allowed.since", { when: formatAgo(createdAt) }),
                ])}
              </p>
            </div>
            <Button
              className="max-md:min-h-11"
              variant="quiet"
              size="sm"
              aria-label={t("allowed.removeOf", { name })}
              disabled={remove.isPending}
              onClick={() =>
                remove.mutate(skill, {
                  onSuccess: () => toast.success(t("allowed.removed", { name })),
                })
              }
            >
              {t("allowed.remove")}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { AllowedSkills } from "../../../components/allowed-skills.tsx";
import { allowedSkillsQuery } from "../../../lib/allowed-skills.ts";

/** What agents may do for the user without asking; nothing if that is nothing. */
export function AllowedTools() {
  const { t } = useTranslation("agents");
  const { data: skills = [] } = useQuery(allowedSkillsQuery);
  if (skills.length === 0) return null;
  return (
    <section className="grid content-start gap-4" aria-labelledby="allowed-title">
      <div>
        <h3 className="font-medium" id="allowed-title">
          {t("allowed.title")}
        </h3>
        <p className="text-fg-3">{t("allowed.help")}</p>
      </div>
      <AllowedSkills skills={skills} />
    </section>
  );
}

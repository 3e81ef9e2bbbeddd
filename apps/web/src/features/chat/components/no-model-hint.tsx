import { quotingProvider } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { linkStyles } from "../../../components/ui/link.ts";
import { useRights } from "../../../lib/current-user.ts";
import { setupQuery } from "../../../lib/setup.ts";

/** Where to set up a language model, for those who can, while the instance has none. */
export function NoModelHint() {
  const { t } = useTranslation("chat");
  const { admin } = useRights();
  const setup = useQuery(setupQuery).data;
  const hasModel = (setup?.LLMProvider ?? quotingProvider) !== quotingProvider;
  if (!admin || setup === undefined || hasModel) return null;
  return (
    <p className="mt-2 text-fg-3">
      {t("noModel")}{" "}
      <Link className={linkStyles} to="/settings/llm-preference">
        {t("chooseModel")}
      </Link>
    </p>
  );
}

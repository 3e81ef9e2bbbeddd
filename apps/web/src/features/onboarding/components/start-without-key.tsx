import { useTranslation } from "react-i18next";
import { Button, type ButtonProps } from "../../../components/ui/button.tsx";
import { toast } from "../../../lib/toast.ts";
import { useFinishOnboarding } from "../api/onboarding.ts";

/** The shortcut past the wizard: a workspace that answers with quotes, without a model. */
export function StartWithoutKey({
  onCreated,
  settings = {},
  ...button
}: {
  onCreated: (slug: string) => void;
  /** Settings chosen so far. */
  settings?: Record<string, string>;
} & Pick<ButtonProps, "size" | "variant" | "className">) {
  const { t } = useTranslation("onboarding");
  const finish = useFinishOnboarding();
  return (
    <Button
      {...button}
      disabled={finish.isPending}
      onClick={() =>
        finish.mutate(
          { name: t("start.workspace"), settings },
          {
            onSuccess: ({ slug }) => onCreated(slug),
            onError: ({ message }) => toast.error(t("start.failed", { message })),
          },
        )
      }
    >
      {finish.isPending ? t("start.starting") : t("start.withoutKey")}
    </Button>
  );
}

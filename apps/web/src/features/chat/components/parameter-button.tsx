import { SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";

const ParameterDialog = lazy(() => import("../../../components/provider/parameter-dialog.tsx"));

/** Opens the prompt and parameters of a thread (null: the default thread). */
export function ParameterButton({ slug, threadSlug }: { slug: string; threadSlug: string | null }) {
  const { t } = useTranslation("chat");
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label={t("answerSettings")}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal />
      </IconButton>
      {open && (
        <Suspense>
          <ParameterDialog owner={{ slug, thread: threadSlug }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

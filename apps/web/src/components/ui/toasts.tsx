import { useEffect } from "react";
import { toast as show, Toaster } from "sonner";
import { registerToaster } from "../../lib/toast.ts";
import { useTheme } from "../../lib/theme.ts";

export default function Toasts() {
  const theme = useTheme();
  useEffect(
    () =>
      registerToaster(({ kind, message }) => {
        show[kind](message);
      }),
    [],
  );
  return (
    <Toaster
      position="bottom-center"
      duration={5000}
      theme={theme === "light" ? "light" : "dark"}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "group/toast flex w-[340px] items-center gap-2.5 rounded-md border border-line bg-overlay px-3 py-2.5 font-sans text-sm font-regular text-fg-1 shadow-float",
          icon: "flex text-fg-2 group-data-[type=error]/toast:text-danger group-data-[type=success]/toast:text-success",
        },
      }}
    />
  );
}

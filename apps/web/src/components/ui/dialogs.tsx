import { lazy, Suspense, type ComponentProps } from "react";

const Confirm = lazy(async () => ({
  default: (await import("./prompt-dialogs.tsx")).ConfirmDialog,
}));
const Name = lazy(async () => ({ default: (await import("./prompt-dialogs.tsx")).NameDialog }));

/** Dialogs are loaded when the first one opens. */
export const ConfirmDialog = (props: ComponentProps<typeof Confirm>) => (
  <Suspense>
    <Confirm {...props} />
  </Suspense>
);
export const NameDialog = (props: ComponentProps<typeof Name>) => (
  <Suspense>
    <Name {...props} />
  </Suspense>
);

import type { ReactNode } from "react";
import { Main } from "../../../components/ui/page.tsx";
import { FileDrop, type FileDropProps } from "./file-drop.tsx";

/** The main column of a page that accepts files dropped anywhere. */
export function DropZone({ children, ...drop }: FileDropProps & { children: ReactNode }) {
  return (
    <Main>
      {children}
      <FileDrop {...drop} />
    </Main>
  );
}

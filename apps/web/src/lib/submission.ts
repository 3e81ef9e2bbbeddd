import { useMutation } from "@tanstack/react-query";

/**
 * A form's submission, for forms that leave what happens to their caller. The form shows the error;
 * what was submitted may be a secret and is dropped when the form unmounts.
 */
export function useSubmission<Input>(onSubmit: (input: Input) => Promise<unknown>) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: onSubmit,
    gcTime: 0,
    meta: { errorToast: false },
  });
  return {
    submit: mutate,
    busy: isPending,
    error,
    /** Call it when the user edits the form. */
    clearError: (): void => {
      if (error) reset();
    },
  };
}

import {
  queryModeDocuments,
  queryModeQuestions,
  queryModeSets,
} from "../libs/retrieval/test/query-mode.ts";
import type { QuestionSet } from "../libs/retrieval/test/xquad.ts";

/** The tests' documents and questions. */
export async function readQueryMode(): Promise<QuestionSet[]> {
  return Promise.all(
    queryModeSets.map(async (name) => {
      const questions = await queryModeQuestions(name);
      return {
        name,
        language: "en",
        documents: await queryModeDocuments(name),
        answerable: questions.flatMap(({ question, fact }) =>
          fact === undefined ? [] : [{ text: question, answers: [fact] }],
        ),
        unanswerable: questions.flatMap(({ question, fact }) =>
          fact === undefined ? [{ text: question, answers: [] }] : [],
        ),
        removed: [],
      };
    }),
  );
}

/** Ways to ask the same question politely, or with a wish for its form, by language. */
export const variants: Record<string, Record<string, (question: string) => string>> = {
  en: {
    briefly: (question) => `${question}\nPlease answer briefly.`,
    based: (question) => `Based on the uploaded documents, ${question}`,
    list: (question) => `${question} Format the answer as a bulleted list in Markdown.`,
    introduction: (question) =>
      `Hi there! I'm preparing a short talk for my colleagues and would love some help. ${question}`,
    polite: (question) => `Could you please tell me: ${question}`,
    thanks: (question) => `${question} Thank you!`,
    sentences: (question) => `${question} Answer in two sentences.`,
    short: (question) => `${question} Keep your answer under 50 words and cite your sources.`,
    honest: (question) =>
      `${question}\n\nIf the answer isn't in the documents, say that you don't know. Don't make things up.`,
    student: (question) =>
      `Hello! I'm a student working on an essay, so I was wondering: ${question} Thanks in advance for your help!`,
    simple: (question) => `Explain it to me in simple terms, step by step: ${question}`,
    only: (question) =>
      `Use only the information in the files I uploaded. ${question} Reply in English.`,
    letter: (question) =>
      `Dear team,\n\nsorry to bother you. I'd like to know the following: ${question}\n\nBest regards,\nAnna`,
  },
  de: {
    briefly: (question) => `${question}\nBitte antworte kurz.`,
    based: (question) => `Anhand der hochgeladenen Dokumente: ${question}`,
    list: (question) => `${question} Formatiere die Antwort als Aufzählung in Markdown.`,
    introduction: (question) =>
      `Hallo! Ich bereite gerade einen kurzen Vortrag für meine Kollegen vor und brauche etwas Hilfe. ${question}`,
    polite: (question) => `Könntest du mir bitte sagen: ${question}`,
    thanks: (question) => `${question} Vielen Dank!`,
    sentences: (question) => `${question} Antworte in zwei Sätzen.`,
    student: (question) =>
      `Guten Tag, ich bin Studentin und schreibe eine Hausarbeit. ${question} Danke im Voraus!`,
    honest: (question) =>
      `${question} Bitte nenne die Quelle, und wenn du es nicht weißt, sag es einfach.`,
  },
  es: {
    briefly: (question) => `${question}\nPor favor, responde brevemente.`,
    based: (question) => `Según los documentos subidos, ${question}`,
    list: (question) => `${question} Da la respuesta como una lista con viñetas en Markdown.`,
    introduction: (question) =>
      `¡Hola! Estoy preparando una breve charla para mis compañeros y me vendría bien un poco de ayuda. ${question}`,
    polite: (question) => `¿Podrías decirme, por favor: ${question}`,
    thanks: (question) => `${question} ¡Muchas gracias!`,
    sentences: (question) => `${question} Responde en dos frases.`,
    student: (question) =>
      `Buenos días, soy estudiante y estoy escribiendo un trabajo. ${question} ¡Gracias de antemano!`,
    honest: (question) => `${question} Cita las fuentes y, si no lo sabes, dilo.`,
  },
  zh: {
    briefly: (question) => `${question}\n请简短回答。`,
    based: (question) => `根据上传的文档，${question}`,
    list: (question) => `${question}请用Markdown项目符号列表的形式回答。`,
    introduction: (question) =>
      `你好！我正在为同事们准备一个简短的演讲，希望得到一些帮助。${question}`,
    polite: (question) => `请问你能告诉我：${question}`,
    thanks: (question) => `${question}谢谢！`,
    sentences: (question) => `${question}请用两句话回答。`,
    student: (question) => `您好，我是一名大学生，正在写论文。${question}提前感谢您的帮助！`,
    honest: (question) => `${question}请注明出处，如果不知道，请直接说不知道。`,
  },
  ar: {
    briefly: (question) => `${question}\nمن فضلك أجب باختصار.`,
    based: (question) => `بناءً على المستندات المرفوعة، ${question}`,
    list: (question) => `${question} نسّق الإجابة كقائمة نقطية بصيغة Markdown.`,
    introduction: (question) =>
      `مرحبًا! أقوم بإعداد عرض قصير لزملائي وأحتاج إلى بعض المساعدة. ${question}`,
    polite: (question) => `هل يمكنك أن تخبرني من فضلك: ${question}`,
    thanks: (question) => `${question} شكرًا جزيلاً!`,
    sentences: (question) => `${question} أجب في جملتين.`,
    student: (question) => `صباح الخير، أنا طالب وأكتب بحثًا. ${question} شكرًا مقدمًا على مساعدتك!`,
    honest: (question) => `${question} اذكر المصادر، وإذا كنت لا تعرف فقل ذلك.`,
  },
};

import type { Locale } from "./en.ts";

export const pt: Locale = {
  refusal: "Não há informações relevantes neste espaço de trabalho para responder à sua pergunta.",
  refusalOfChoice:
    "Não há informações relevantes nos documentos escolhidos para responder à sua pergunta.",
  widgetRefusal: "Não tenho informações suficientes para responder. Tente outra pergunta.",
  closestPassages: "Nenhuma frase responde a isso diretamente. Os trechos mais próximos:",
  storeUnavailable:
    "{store} não está disponível, então ainda não é possível pesquisar nos documentos deste espaço de trabalho. Eles serão adicionados automaticamente assim que a conexão voltar.",
  noDocuments: "Este espaço de trabalho ainda não tem documentos para citar.",
  nothingFound: "Não encontrei nada que responda a isso nos documentos deste espaço de trabalho.",
  nothingFoundInChoice: "Não encontrei nada que responda a isso nos documentos escolhidos.",
  questionAbout: "O que “{title}” diz sobre {about}?",
  exportWorkspace: "Espaço de trabalho: {name}",
  exportYou: "Você",
  exportAnswer: "Resposta",
  exportSources: "Fontes",
  exportPage: "página {page}",
  exportThought: "Raciocínio",
  exportThoughtFor: "Pensou por {seconds} s",
  exportPicture: "Imagem",
  exportChat: "Chat",
  exportChatOf: "Chat de {workspace}",
  variableTime: "Hora atual",
  variableDate: "Data atual",
  variableDatetime: "Data e hora atuais",
  variableTime24: "Hora atual no formato de 24 horas",
  variableDatetime24: "Data e hora atuais no formato de 24 horas",
  variableUserName: "Nome do usuário atual",
  variableUserBio: "Biografia do usuário atual",
  variableWorkspaceId: "ID do espaço de trabalho atual",
  variableWorkspaceName: "Nome do espaço de trabalho atual",
};

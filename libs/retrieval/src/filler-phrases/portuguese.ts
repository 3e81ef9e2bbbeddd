import type { FillerPhrases } from "../filler-roles.ts";

export const portugueseFillers: FillerPhrases = {
  glue: `
    o, a, os, as, um, uma, uns, umas, de, do, da, dos, das, e, ou, mas, então, também, muito, bem,
    mais, menos, pouco, que, é, são, ser, seja, está, estão, estar, foi, tem, ter, há, houver,
    tenho, você, vocês, tu, te, ti, teu, tua, seu, sua, seus, suas, se, lhe, não, nem, nada, nunca,
    porque, para, pra, sobre, em, no, na, nos, nas, num, numa, ao, à, aos, às, por, pelo, pela,
    com, sem, entre, só, somente, apenas, unicamente, exclusivamente, simplesmente, pode, podem,
    possível, quero, queria, gostaria, gostava, gostaríamos, todo, toda, todos, todas, cada, aqui,
    agora, sim, ok, bom, este, esta, estes, estas, esse, essa, esses, essas, isto, isso, algum,
    alguma, algumas, alguns, caso, contrário, deve, favor, seria, fosse, viria, lo, la, afinal,
    mesmo, puder, quiser
  `,
  self: `
    eu, me, mim, meu, minha, meus, minhas, estou, sou, tenho, nós, nosso, nossa, nossos, nossas,
    estamos, somos, temos, como, preciso, precisamos, gostaria, queria, enquanto
  `,
  modal: `
    pode, podes, podem, poderia, poderias, poderiam, podia, podias, você pode, você poderia,
    vocês podem, me pode, me poderia, posso, poderia eu, podemos, será possível, seria possível,
    é possível, será que pode, será que podes, será que você pode, será que você poderia,
    importa se, alguém pode, alguém poderia, alguém me pode, consegue, consegues, você consegue
  `,
  please: `
    por favor, por gentileza, se faz favor, se possível, se for possível, se não for incômodo,
    se não for incómodo, se tiver tempo, faça o favor, faz favor, a propósito, gentilmente
  `,
  ask: `
    diga me, diz me, diga nos, me diga, me diz, nos diga, dizer me, me dizer, dizer nos, nos dizer,
    explique, explica, explicar, explique me, explica me, me explique, me explica, explicar me,
    me explicar, nos explicar, mostre me, me mostre, me mostra, mostra me, mostrar me, me mostrar,
    lembre me, me lembre, dê me, me dê, me dá, dar me, me dar, ajude me, me ajude, me ajuda,
    ajuda me, ajudar me, me ajudar, nos ajudar, me ajudar a entender, indique me, me indique,
    me indicar, descreva, descreve, descrever, esclareça, me esclarecer, informe me, me informe,
    me informar, sabe, sabes, você sabe, vocês sabem, sabe me dizer, sabes dizer me, alguém sabe,
    me pergunto, pergunto me, estava me perguntando, queria saber, gostaria de saber,
    gostava de saber, gostaríamos de saber, quero saber, preciso saber, queria perguntar,
    gostaria de perguntar, tenho uma pergunta, tenho uma dúvida, uma pergunta, uma dúvida,
    pergunta rápida, uma pergunta rápida, minha pergunta é, a minha pergunta é, minha pergunta,
    estou curioso, estou curiosa, tenho curiosidade em saber, tenho curiosidade, conte me,
    me conte, me conta
  `,
  learn: `
    saber, aprender, perguntar, entender, compreender, conhecer, descobrir, encontrar, dizer,
    saber mais, tirar uma dúvida
  `,
  after: "se, que, me, nos, mais, sobre, por favor",
  greeting: `
    olá, oi, bom dia, boa tarde, boa noite, olá a todos, oi pessoal, oi gente, viva, caro, cara,
    caros, caras, prezado, prezada, prezados, como vai, como está, como você está, como estás,
    tudo bem, tudo bom, espero, desculpe, desculpa, desculpem, me desculpe, perdão, com licença,
    lamento, pergunta
  `,
  closing: `
    obrigado, obrigada, muito obrigado, muito obrigada, obrigadíssimo, agradeço, agradecemos,
    agradecido, agradecida, desde já agradeço, grato, grata, valeu, atenciosamente, cordialmente,
    cumprimentos, com os melhores cumprimentos, melhores cumprimentos, saudações, um abraço,
    abraço, abraços, até logo, até breve, adeus, tchau, bom trabalho, tenha um bom dia,
    tenha um ótimo dia
  `,
  courtesy: `
    desde já, antecipadamente, adiantado, incomodar, incômodo, incómodo, incomodo, tempo, ajuda,
    paciência, atenção, gentileza, resposta, dia, tarde, pessoal, todos, equipe, equipa, novo,
    assistente, mensagem, encontre, esteja, boba, tudo, gentil
  `,
  verb: `
    responda, responde, responder, respondam, escreva, escreve, escrever, formate, formata,
    formatar, dê, dá, dar, apresente, apresenta, apresentar, mostre, mostra, mostrar, forneça,
    fornecer, faça, faz, fazer, mantenha, mantém, use, usa, usar, usando, utilize, utiliza,
    utilizar, utilizando, liste, lista, listar, enumere, coloque, limite, limita, evite, evita,
    evitando, cite, cita, citar, citando, mencione, indique, indica, indicando, inclua, inclui,
    seja, sê, estruture, organize, redija, adicione, acrescente, baseie, consulte, consulta,
    procure, procura, veja, vê, verifique, invente, inventes, inventar, adivinhe, diga, diz, dizer,
    pense, pensa, fale, fala, traduza, resuma, expresse
  `,
  answer: `
    resposta, respostas, a resposta, sua resposta, a sua resposta, a tua resposta, explicação,
    explicações, resultado, resultados, afirmação, afirmações, pergunta, perguntas,
    seguinte pergunta
  `,
  adverb: `
    brevemente, resumidamente, sucintamente, concisamente, em resumo, em poucas palavras,
    em detalhe, em detalhes, com detalhes, detalhadamente, passo a passo, ponto a ponto,
    em termos simples, em palavras simples, com palavras simples, em linguagem simples,
    de forma simples, de forma breve, de forma concisa, de forma resumida, de forma clara,
    de forma detalhada, de forma sucinta, de maneira simples, de maneira concisa,
    em forma de lista, em forma de tabela, em formato de lista, em formato de tabela, como lista,
    como uma lista, como tabela, como uma tabela, em uma lista com marcadores, com marcadores,
    em tópicos, por tópicos, com exemplos, com um exemplo, citando as fontes,
    como se eu tivesse cinco anos, como se eu tivesse 5 anos, como para uma criança, textualmente,
    o mais breve possível
  `,
  manner: `
    breve, breves, conciso, concisa, sucinto, sucinta, resumido, resumida, detalhado, detalhada,
    marcadores, tópicos, lista numerada, lista com marcadores, passo a passo, termos simples,
    palavras simples, jargão, inventar nada, invente nada, não invente, não inventes, não souber,
    não sabe, não sabes, não tiver certeza, não tem certeza, sinceramente, conhecimento geral,
    sim ou não, tom formal, tom amigável, números de página, número da página
  `,
  form: `
    lista, listas, tabela, tabelas, formato, forma, título, títulos, cabeçalhos, negrito, itálico,
    português, inglês, alemão, francês, espanhol, italiano, árabe, chinês, russo, japonês, idioma,
    língua, linguagem, estilo, tom, simples, claro, clara, claramente, preciso, precisa, completo,
    completa, curto, curta, curtos, curtas, longo, longa, linha, linhas, ponto, pontos, exemplo,
    exemplos, fonte, fontes, citação, citações, referências, trecho, trechos, página, páginas,
    formal, numerada, ordenada, estruturada, máximo, iniciante, criança, detalhes, fatos, factos,
    ordem, certeza, nome, número, data
  `,
  unit: `
    frase, frases, palavra, palavras, parágrafo, parágrafos, caracteres, linhas, pontos, tópicos
  `,
  amount: `
    um, uma, dois, duas, três, quatro, cinco, seis, sete, oito, nove, dez, cinquenta, cem, poucas,
    poucos, algumas, um par de, máximo, no máximo, um máximo de, pelo menos, não mais de,
    não mais que, menos de, mais de, cerca de, ou, a, única, só, curtas, breves, simples
  `,
  lead: "em, como, com, usando, utilizando, dentro de, sem, numa, num",
  relation: `
    com base em, com base nos, com base no, com base nas, baseado em, baseado nos, baseando se em,
    baseando se nos, segundo, de acordo com, conforme, a partir de, a partir dos, a partir do,
    à luz de, à luz dos, tendo em conta, considerando, levando em conta, usando, utilizando, nos,
    no, por meio de, consultando
  `,
  source: `
    documento, documentos, arquivo, arquivos, ficheiro, ficheiros, base de conhecimento,
    base de conhecimentos, anexo, anexos, contexto, fonte, fontes, pdf, pdfs, espaço de trabalho
  `,
  matter: `
    texto, textos, conteúdo, conteúdos, material, materiais, dados, informações, informação,
    documentação, páginas, trechos, artigos, artigo, banco de dados, base de dados
  `,
  given: `
    enviad*, carregad*, fornecid*, anexad*, dado, dados, compartilhad*, partilhad*, disponíve*,
    disponibilizad*, acima, abaixo, seguinte, seguintes, anterior, anteriores, que enviei,
    que carreguei, que forneci, que você tem
  `,
  purpose: `
    preparando, preparar, a preparar, escrevendo, escrever, a escrever, trabalhando, trabalhar,
    a trabalhar, estudando, estudar, a estudar, pesquisando, pesquisa, procurando, procuro,
    fazendo, a fazer, redigindo, organizando, lendo, aprendendo, ajuda, um pouco de ajuda,
    alguma ajuda, viria a calhar, preciso, tentando, interessado, interessada, novo, nova,
    agradeceria
  `,
  setting: `
    palestra, apresentação, exposição, conferência, discurso, breve, curta, curto, pequena,
    pequeno, ensaio, artigo, relatório, tese, dissertação, redação, trabalho, tarefa, dever,
    projeto, projecto, exame, prova, aula, curso, seminário, oficina, formação, treinamento,
    sessão, reunião, entrevista, colega, colegas, equipe, equipa, chefe, cliente, clientes, amigos,
    família, crianças, estudante, aluno, aluna, alunos, professor, professora, pesquisador,
    investigador, jornalista, funcionário, funcionária, estagiário, iniciante, escola,
    universidade, faculdade, escritório, empresa, departamento, tema, assunto, semana, próxima,
    que vem, amanhã, hoje, mês, atualmente, momento, segunda, terça, quarta, quinta, sexta, blog
  `,
  placeholder: "alguém, alguma coisa, algo, qualquer pessoa, quem mais, o que mais",
  asking: "quem, qual, quais, quanto, quanta, quantos, quantas, quando, onde, o que é",
  mention: "palavra, palavras, dizer se, significa, termo, de",
};

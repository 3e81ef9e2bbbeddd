import type { FillerPhrases } from "../filler-roles.ts";

export const englishFillers: FillerPhrases = {
  glue: `
    a, an, the, and, or, but, so, then, of, to, for, on, at, by, with, it, its, this, that, these,
    those, them, they, you, your, yours, be, is, are, was, were, been, am, m, s, d, re, ve, ll, t,
    isn t, is not, are not, aren t, not, no, don t, do not, does not, doesn t, didn t, if, while,
    because, since, as well, also, too, very, really, just, only, solely, exclusively, simply,
    actually, basically, possible, able, would like, d like, like to, love, like, want, wish, need,
    needs, have, has, had, got, get, some, any, more, most, much, bit, little, now, here, there,
    please note, note that, otherwise, instead, unless, without, all, each, every, quickly, kindly,
    possibly, maybe, perhaps, ok, okay, well, yes, right, up, out, so kind as, so kind,
    kind enough, good enough, hoping, hope, trying, try, going, let, could, can, would, will,
    should, must, may, might, everything, something like, sort of, kind of, in order to,
    as possible, in your, in my, under, over, than, both, where possible, if possible,
    if necessary, where appropriate, whenever possible, enough, couldn t, can t, cannot, could not,
    unclear, wrong, wasn t, ever, lol, possible way
  `,
  self: `
    i, i m, i d, i ve, i ll, i am, me, my, mine, we, we re, we d, our, us, as a, as an, being a,
    myself, it s for, this is for, my manager asked me, my boss asked me, my teacher asked me,
    a colleague asked me, my colleague asked me, someone asked me, i was asked
  `,
  modal: `
    can you, could you, would you, will you, can we, can i, could i, may i, might i, could we,
    may we, would it be possible, is it possible, is there any way, is there any chance,
    would you mind, are you able, do you think you could, do you think you can, can someone,
    can anyone, could someone, could anyone, can somebody, could somebody, would someone,
    would anyone, would you be able, would you be so kind, if you could, if you can, if you would,
    can u, could u, you could, you can, you should, you must, you may
  `,
  please: `
    please, pls, plz, please please, kindly, if you please, if you don t mind, if that s ok,
    if that is ok, if it s not too much trouble, if it is not too much trouble, if you have time,
    by the way, btw, when you have a moment, when you get a chance, to the best of your knowledge,
    as far as you know, asap, urgently
  `,
  ask: `
    tell me, tell us, let me know, let us know, explain, explain to me, explain to us, show me,
    show us, remind me, remind us, enlighten me, help me, help us, help me out, inform me, give me,
    give us, walk me through, teach me, i wonder, i wonder if, i was wondering, i am wondering,
    i m wondering, we were wondering, we wonder, wondering, just wondering, i m curious,
    i am curious, curious, do you know, do you happen to know, does anyone know, does anybody know,
    any idea, any ideas, any clue, any chance you know, describe, clarify, elaborate,
    i have a question, i have got a question, i ve got a question, i have one question,
    i have another question, i have a few questions, i have some questions, got a question,
    quick question, one question, my question is, my questions are, the question is, my question,
    i ask, i am asking, i m asking, here s my question, here is my question, help me understand,
    help me find, help me find out, talk me through, fill me in, can you help, could you help,
    can anyone help, can someone help, please help, i would like to know, i d like to know,
    i would like to see, i d like to see, we would like to know, i want to know, i need to know,
    i would love to know, i d love to know, where did you find it, where did you find this
  `,
  learn: `
    know, learn, find out, find, ask, ask you, understand, figure out, hear, get an idea, look up,
    know more, learn more, get to know, see if, check, know something, get some information,
    get information, get help, better understand, make sense of
  `,
  after: "if, whether, that, to me, to us, for me, for us, please, me, us, something, more, about",
  greeting: `
    hi, hello, hey, hi there, hello there, hey there, good morning, good afternoon, good evening,
    good day, greetings, dear, dear all, dear team, dear sir or madam, howdy, hiya, welcome back,
    hi all, hi everyone, hello everyone, hi again, hello again, yo, sup, how are you,
    how are you doing, how are you today, how s it going, hope you are well, hope you re well,
    hope you are doing well, hope you re doing well, i hope, hope this, hope all, hope everything,
    nice to meet you, sorry, apologies, i apologize, i apologise, excuse me, pardon, pardon me,
    forgive me, question, morning, evening, quick one
  `,
  closing: `
    thanks, thank you, thank you so much, many thanks, thx, ty, tysm, tia, cheers, best regards,
    kind regards, warm regards, regards, sincerely, yours sincerely, yours, best wishes,
    all the best, bye, goodbye, much appreciated, appreciated, appreciate, appreciate it, grateful,
    have a nice day, have a great day, have a good day, take care, looking forward, look forward,
    i look forward, i don t have much time, i m in a hurry, i am in a hurry
  `,
  courtesy: `
    a lot, lots, so much, in advance, again, advance, well, bother, bothering, bothered, interrupt,
    interrupting, trouble, troubling, disturb, disturbing, inconvenience, kindness, time, patience,
    patient, effort, assistance, help, helping, support, today, day, everyone, everybody, folks,
    friend, assistant, bot, ai, message, email, finds, find, doing, good, great, nice, wonderful,
    lovely, fine, very much, a million, a bunch, a ton, kind, kindly, deeply, greatly, really,
    truly, sincerely, hearing, response, reply, answer, question, questions, another, stupid,
    silly, dumb, basic, simple, week, weekend, asking, best, long, late, anyone, anybody
  `,
  verb: `
    answer, reply, respond, write, format, present, return, output, give, provide, keep, make, use,
    list, include, add, put, show, limit, restrict, avoid, stick, stick to, cite, quote, mention,
    reference, be, speak, talk, structure, organize, organise, arrange, lay out, render, display,
    phrase, express, formulate, produce, create, generate, deliver, do not, don t, never, always,
    ensure, make sure, be sure, refrain, skip, omit, follow, say, state, base, rely, consult, look,
    search, refer, check, read, go through, have a look, take a look, take, think, reason, work,
    start, begin, end, finish, split, break, highlight, back, support, summarize, summarise, point,
    draw, restate, repeat, translate, admit, acknowledge, remain, stay, aim, try, avoiding, citing,
    quoting, providing, including, listing
  `,
  answer: `
    answer, answers, the answer, your answer, reply, replies, response, responses, explanation,
    explanations, output, it, wording, result, results, everything, claim, claims, statement,
    statements, reasoning, following question, question, questions
  `,
  adverb: `
    briefly, concisely, succinctly, in short, in brief, in a nutshell, in detail, in full detail,
    in great detail, in more detail, in depth, in full, step by step, point by point,
    in layman s terms, in lay terms, in simple terms, in simple words, in plain english,
    in plain language, in simple english, in simple language, in your own words, in easy words,
    in a few words, in other words, in one word, in bullet points, in bullets, in bullet form,
    in bullet point form, in list form, in list format, in table form, in table format,
    in tabular form, as a table, as a list, as bullet points, as bullets, in point form,
    like i m five, like i m 5, like i am five, like i am 5, as if i were five, as if i was five,
    as if i m five, as if i were a child, like i m a child, as simply as possible,
    as briefly as possible, as concisely as possible, as detailed as possible, in a friendly tone,
    in a formal tone, in a professional tone, in a casual tone, in a neutral tone,
    in a formal style, with sources, with citations, with references, with examples,
    with an example, without jargon, verbatim
  `,
  manner: `
    brief, concise, succinct, to the point, detailed, thorough, thoroughly, step by step,
    step by step instructions, simple terms, simple words, plain english, plain language,
    layman s terms, easy to understand, eli5, bulleted, bullet, bullets, bullet point,
    bullet points, numbered list, markdown list, markdown table, markdown format, json format,
    tabular, one liner, tl dr, tldr, jargon, fluff, preamble, filler, short answer, short answers,
    short reply, short response, short and sweet, short and simple, long answer, guess, guessing,
    speculate, speculation, hallucinate, hallucinations, hallucination, make things up,
    make anything up, make stuff up, make something up, make it up, make up, made up, invent,
    fabricate, unsure, not sure, aren t sure, not certain, don t know, do not know, say so, honest,
    honestly, outside knowledge, prior knowledge, general knowledge, own knowledge,
    external knowledge, your own knowledge, training data, yes or no, nothing else, comprehensive,
    in depth, carefully, cite, citation, citations, cited, verbatim, page numbers, page number,
    direct quotes, friendly tone, formal tone, professional tone, polite, politely, formally,
    informally, step by step explanation, bullet form, headings and, you are a helpful assistant,
    you are an ai assistant, you are an expert, act as an expert, act as, helpful assistant,
    where you found it, where you found this, where in the document you found it,
    where in the documents you found it, where it is stated, where it says so, reasoning
  `,
  form: `
    list, lists, listing, table, tables, format, formatted, formatting, form, heading, headings,
    header, headers, subheadings, title, titles, bold, italics, emphasis, english, german, french,
    spanish, italian, portuguese, dutch, swedish, norwegian, danish, finnish, hungarian, romanian,
    turkish, lithuanian, indonesian, vietnamese, russian, ukrainian, greek, arabic, persian, farsi,
    hebrew, chinese, mandarin, japanese, korean, thai, polish, czech, hindi, british english,
    american english, line, lines, long, length, easy, clear, clearly, plain, complete, full,
    precise, precisely, exact, exactly, accurate, accurately, short, shorter, shortly, simple,
    simpler, small, tone, style, voice, language, formal, informal, friendly, casual, professional,
    neutral, objective, beginner, beginners, layperson, layman, child, kid, five year old,
    5 year old, detail, details, fact, facts, factual, example, examples, quote, quotes, quotation,
    quotations, passage, passages, reference, references, source, sources, section, page, pages,
    point, points, item, items, entry, row, rows, column, columns, column names, code block,
    code blocks, plain text, structure, structured, order, chronological, chronologically,
    alphabetical, alphabetically, numbered, number, first, last, limit, maximum, minimum, evidence,
    proof, certain, sure, correct, correctly, properly, directly, straight, introduction,
    conclusion, beginning, end, things, anything, found, there, relevant, necessary, important,
    key, main, summary, overview, name, date
  `,
  unit: `
    sentence, sentences, word, words, paragraph, paragraphs, characters, tokens, bullet points,
    bullets, lines, points, items, steps, tweet
  `,
  amount: `
    a, an, one, two, three, four, five, six, seven, eight, nine, ten, fifty, hundred, few, couple,
    couple of, a few, a couple of, single, a single, half, most, at most, at least, up to,
    no more than, not more than, fewer than, less than, more than, max, maximum, maximum of,
    a maximum of, minimum, exactly, around, about, roughly, approximately, per, or, to, and, only,
    just, short, concise, brief, simple, clear, plain
  `,
  lead: "in, as, with, using, under, within, like, into, without, including",
  relation: `
    based on, based only on, based solely on, based entirely on, based purely on, based upon,
    basing on, according to, on the basis of, in light of, in view of, considering, given,
    referring to, with reference to, with regard to, drawing on, relying on, relying only on,
    going by, looking at, by looking at, using, using only, only using, judging by, judging from,
    with the help of, taking into account, from, only from, per, as per, as stated in,
    as described in, as mentioned in, as written in, in accordance with, following
  `,
  source: `
    document, documents, docs, file, files, knowledge base, knowledgebase, upload, uploads,
    attachment, attachments, workspace, context, source, sources, source material,
    source materials, source documents, pdf, pdfs, excerpts, search results, library
  `,
  matter: `
    text, texts, material, materials, content, contents, page, pages, passage, passages, data,
    information, info, documentation, collection, corpus, database, records, paper, papers,
    article, articles, notes, above, resources
  `,
  given: `
    uploaded, provided, attached, above, below, given, available, supplied, shared, included,
    following, uploaded by me, i uploaded, i have uploaded, i ve uploaded, that i uploaded,
    that i have uploaded, we uploaded, we have uploaded, i provided, i have provided,
    i ve provided, i shared, i attached, i gave you, i have given you, you have,
    you have access to, you were given, you ve been given, you have been given, at hand, listed,
    indexed, stored, existing, relevant, internal, in front of you, retrieved
  `,
  purpose: `
    preparing, prepare, writing, work on, working, working on, studying, study, researching,
    research, reading, looking for, looking into, getting ready, planning, organizing, organising,
    putting together, giving, drafting, revising, practising, practicing, could use, use,
    appreciate, background, reading up, catching up, new, interested, interested in learning,
    learning, teaching, helping, stuck, struggling, confused, lost here, assigned, asked, supposed,
    tasked, collecting, gathering, compiling, looking, need help, need some help, need your help,
    would love some help, some help, help, assistance, hand, advice, input, guidance, information,
    info, doing, making, love, curious, need this, need it
  `,
  setting: `
    talk, short, long, brief, small, little, quick, presentation, lecture, speech, slides, essay,
    article, blog post, blog, post, report, paper, thesis, dissertation, assignment, homework,
    project, exam, exams, test, quiz, class, course, lesson, seminar, workshop, training, session,
    meeting, interview, newsletter, colleague, colleagues, coworkers, co workers, team, boss,
    manager, client, clients, customer, customers, students, pupils, friends, family, kids,
    children, student, teacher, professor, researcher, journalist, writer, employee, intern,
    trainee, beginner, newcomer, developer, engineer, hobbyist, new employee, new hire, user,
    school, university, college, high school, work, office, company, department, job, topic,
    subject, material, week, month, year, semester, term, today, tomorrow, tonight, next,
    this week, next week, next month, monday, tuesday, wednesday, thursday, friday, deadline,
    first, final, currently, at the moment, right now, in the middle of, busy, night, evening,
    weekend, due, audience, event
  `,
  placeholder: `
    what else, who else, whom else, whose else, where else, when else, why else, how else,
    which else, or else, anything else, anyone else, anybody else, something else, someone else,
    somebody else, everything else, everyone else, everybody else, nothing else, no one else,
    nobody else, anywhere else, somewhere else, nowhere else, anything, anyone, anybody, anywhere,
    anyhow, something, someone, somebody, somewhere, somehow, by the way, from what you have,
    from what you know, from what you can see, from what you ve got, i would like to know,
    i d like to know, i would like to see, i d like to see, we would like to know, i want to know,
    i need to know, i would love to know, i d love to know, do you know, let me know
  `,
  asking: `
    who, whom, whose, what, which, when, where, why, how, what s, who s, where s, how s, does, do,
    did, how many, how much, how long, how old, how far, how often, is it, is the, is this,
    is that, is there, are they, are the, are these, are there, was it, was the, were they,
    were the, has the, have the, have they
  `,
  mention: `
    word, words, say, saying, says, said, does, did, mean, between, phrase, term, of, write, spell,
    use, with, the, a
  `,
};

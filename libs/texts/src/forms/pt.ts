import type { FormTexts } from "./en.ts";

export const pt: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Importa as páginas de um espaço, com os anexos e as permissões de leitura.",
  Address: "Endereço",
  "The address of Confluence, or of any page in it.":
    "O endereço do Confluence ou de qualquer página dele.",
  Deployment: "Tipo de hospedagem",
  Cloud: "Nuvem",
  "Self-hosted": "Hospedagem própria",
  "Space key": "Chave do espaço",
  "Include attachments": "Incluir anexos",
  "PDFs, Office files and texts.": "PDFs, arquivos do Office e textos.",
  "Include blog posts": "Incluir posts do blog",
  "Maximum size of an attachment, in MB": "Tamanho máximo de um anexo, em MB",
  "Accept any certificate": "Aceitar qualquer certificado",
  "For a self-hosted server with a self-signed certificate.":
    "Para um servidor próprio com certificado autoassinado.",
  Username: "Nome de usuário",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "No Confluence Cloud, seu endereço de e-mail. Não é necessário com um token de acesso pessoal.",
  "API token or password": "Token de API ou senha",
  "Personal access token": "Token de acesso pessoal",
  "Self-hosted only; instead of a username.":
    "Somente hospedagem própria; no lugar do nome de usuário.",
  "Import the pages of spaces, with their attachments.":
    "Importa as páginas de espaços, com os anexos.",
  "Space IDs": "IDs dos espaços",
  "One per line. Without any, every space that the token may read.":
    "Um por linha. Sem nenhum, todos os espaços que o token pode ler.",
  "Access token": "Token de acesso",
  "RSS or Atom feed": "Feed RSS ou Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "Importa os itens de um feed, e os novos assim que aparecem.",
  "The address of the feed, or of a page that has one.":
    "O endereço do feed ou de uma página que tenha um.",
  "Import full pages": "Importar páginas completas",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Para feeds que só têm resumos: importa a página para a qual cada item aponta.",
  "Maximum entries per import": "Máximo de itens por importação",
  "Only for feeds that ask for a password.": "Somente para feeds que pedem senha.",
  Password: "Senha",
  "Folder on the server": "Pasta no servidor",
  "Import the files of a folder that an admin has allowed.":
    "Importa os arquivos de uma pasta permitida por um administrador.",
  Folder: "Pasta",
  "One of the allowed folders, or a folder in one of them.":
    "Uma das pastas permitidas ou uma pasta dentro delas.",
  "Ignored files": "Arquivos ignorados",
  "One pattern per line, as in .gitignore.": "Um padrão por linha, como no .gitignore.",
  "Largest file, in MB": "Tamanho máximo de um arquivo, em MB",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Importa os arquivos de um repositório no Gitea ou Forgejo e, se quiser, as issues e a wiki.",
  Repository: "Repositório",
  Branch: "Branch",
  "The default branch if empty.": "A branch padrão, se vazio.",
  "Include issues": "Incluir issues",
  "Each issue and its comments become one document.":
    "Cada issue vira um documento com seus comentários.",
  "Include the wiki": "Incluir a wiki",
  "Needed for private repositories. It may read repositories and issues.":
    "Necessário para repositórios privados. Precisa poder ler repositórios e issues.",
  "Import the files of a repository, and its issues if you want.":
    "Importa os arquivos de um repositório e, se quiser, as issues.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Necessário para repositórios privados. Precisa poder ler conteúdo, issues e metadados.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Importa os arquivos de um projeto e, se quiser, as issues e a wiki.",
  "Needed for private projects. Scope: read_api.":
    "Necessário para projetos privados. Escopo: read_api.",
  "Mailbox (IMAP)": "Caixa de correio (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Importa mensagens com os anexos. Todas as pessoas do espaço de trabalho podem lê-las.",
  Server: "Servidor",
  Folders: "Pastas",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Uma por linha. Sem nenhuma, todas as pastas, exceto rascunhos, spam e lixeira.",
  Since: "Desde",
  "Only messages that arrived on this day or later.":
    "Somente mensagens que chegaram nesse dia ou depois.",
  Encryption: "Criptografia",
  "A server on this machine can do without.": "Um servidor nesta máquina pode dispensá-la.",
  None: "Nenhuma",
  Port: "Porta",
  "By default 993, or 143 without TLS from the start.":
    "Por padrão, 993, ou 143 sem TLS desde o início.",
  "Largest message, in MB": "Tamanho máximo de uma mensagem, em MB",
  "For a server with a self-signed certificate.": "Para um servidor com certificado autoassinado.",
  "Most providers require an app password.": "A maioria dos provedores exige uma senha de app.",
  "Import the issues of a project or a query, with their comments.":
    "Importa os tickets de um projeto ou de uma consulta, com os comentários.",
  "The address of Jira, or of any issue in it.": "O endereço do Jira ou de qualquer ticket dele.",
  "Project key": "Chave do projeto",
  "Query (JQL)": "Consulta (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Somente os tickets correspondentes, no projeto ou, sem um, em todos.",
  "Include comments": "Incluir comentários",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "No Jira Cloud, seu endereço de e-mail. Não é necessário com um token de acesso pessoal.",
  "Import the pages and databases that are shared with an integration.":
    "Importa as páginas e os bancos de dados compartilhados com uma integração.",
  "Integration secret": "Segredo da integração",
  "Add the integration to each page or database that it may read.":
    "Adicione a integração a cada página ou banco de dados que ela pode ler.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Importa os documentos de um arquivo do Paperless-ngx, com as etiquetas.",
  Content: "Conteúdo",
  "Files have pages that citations can show. The text is already recognised.":
    "Arquivos têm páginas que as citações podem mostrar. O texto já foi reconhecido.",
  "Text that Paperless recognised": "Texto reconhecido pelo Paperless",
  "Archived file": "Arquivo arquivado",
  "Original file": "Arquivo original",
  "Maximum size of a file, in MB": "Tamanho máximo de um arquivo, em MB",
  "API token": "Token de API",
  "From My Profile in Paperless-ngx.": "Em “Meu perfil” no Paperless-ngx.",
  "S3 bucket": "Bucket S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Importa os arquivos de um bucket no Amazon S3, MinIO, R2 ou em um servidor compatível.",
  Endpoint: "Endpoint",
  "The server's address. Amazon S3 if empty.": "O endereço do servidor. Amazon S3, se vazio.",
  Region: "Região",
  "us-east-1 if empty, which most compatible servers accept.":
    "us-east-1, se vazio, o que a maioria dos servidores compatíveis aceita.",
  Bucket: "Bucket",
  Prefix: "Prefixo",
  "Only files whose keys begin with it. Everything if empty.":
    "Somente arquivos cujas chaves começam assim. Todos, se vazio.",
  "Bucket in the path": "Bucket no caminho",
  "Turn it off for servers that expect the bucket in the host name.":
    "Desative para servidores que esperam o bucket no nome do host.",
  "Access key ID": "ID da chave de acesso",
  "May list the bucket and read its files. None for public buckets.":
    "Pode listar o bucket e ler os arquivos. Dispensável para buckets públicos.",
  "Secret access key": "Chave de acesso secreta",
  "Nextcloud or WebDAV": "Nextcloud ou WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Importa os arquivos de uma pasta no Nextcloud, ownCloud ou em qualquer servidor WebDAV.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "O do Nextcloud, o de uma pasta como o navegador mostra ou o de uma pasta WebDAV.",
  "Everything if empty.": "Tudo, se vazio.",
  "App password": "Senha de app",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "No Nextcloud, em Configurações > Segurança. Em outros, a senha.",
  Website: "Site",
  "Import the pages of a site, following its links and sitemap.":
    "Importa as páginas de um site, seguindo os links e o sitemap.",
  "Start page": "Página inicial",
  "Link depth": "Profundidade de links",
  "How many links away from the start page Carrel follows.":
    "Quantos links o Carrel segue a partir da página inicial.",
  "Maximum pages": "Máximo de páginas",
  "Part of the site": "Parte do site",
  "Only the start page's folder": "Somente a pasta da página inicial",
  "The whole site": "O site inteiro",
  "Include linked files": "Incluir arquivos vinculados",
  "PDFs and Office files that pages link to.":
    "PDFs e arquivos do Office para os quais as páginas apontam.",
  "Run scripts": "Executar scripts",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Para páginas que ficam vazias sem JavaScript. Leva segundos por página e precisa de um navegador que um administrador configurou no servidor.",
  "Excluded paths": "Caminhos excluídos",
  "One per line, such as /blog/archive.": "Um por linha, como /blog/archive.",
  "Use the sitemap": "Usar o sitemap",
  "Import the transcripts of a video, a playlist or a channel.":
    "Importa as transcrições de um vídeo, uma playlist ou um canal.",
  "Video, playlist or channel": "Vídeo, playlist ou canal",
  "Transcript language": "Idioma da transcrição",
  "A code such as en. By default, the language that is spoken.":
    "Um código como en. Por padrão, o idioma falado.",
  "Maximum videos": "Máximo de vídeos",
  "The newest ones of a channel, and the first ones of a playlist.":
    "Os mais recentes de um canal e os primeiros de uma playlist.",
};

import os

from carrel_client import Carrel

carrel = Carrel(os.environ.get("CARREL_URL", "http://localhost:3001"), os.environ["CARREL_API_KEY"])
workspace = carrel.create_workspace(name="Leases")["workspace"]
assert workspace, "Couldn't create the workspace."
text = "The notice period of the office is three months."
carrel.add_text(text_content=text, metadata={"title": "Lease"}, add_to_workspaces=workspace["slug"])
answer = carrel.chat(workspace["slug"], message="What is the notice period of the office?")
print(answer["textResponse"])
print("\n".join(f"Source: {source['title']}" for source in answer["sources"]))

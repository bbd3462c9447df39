import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WorkspaceSandbox.class)
class MembersTest {
  @Test
  void isBusyOnce(WorkspaceSandbox.Session session) {
    session.control("POST", "/faults", "{\"status\": 503, \"times\": 1}");
    assertEquals(503, session.send("GET", "/members/me", null).statusCode());
    var response = session.send("GET", "/members/me", null);
    assertEquals(200, response.statusCode());
    assertTrue(response.body().contains("\"firstName\":\"Mara\""), response.body());
  }

  @Test
  void hasItsOwnSession(WorkspaceSandbox.Session session) {
    assertTrue(session.control("GET", "/faults", null).contains("\"totalCount\":0"));
    var note = "{\"categoryId\": 1, \"content\": \"Called them.\"}";
    assertEquals(200, session.send("POST", "/organizations/harbor/customers/1/notes", note).statusCode());
  }
}

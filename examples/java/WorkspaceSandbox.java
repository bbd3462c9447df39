import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a session of its own in one sandbox. Copy this file beside your tests, which take a {@link Session} as
 * parameter; it needs Node, Java 17 and JUnit 5.
 */
public final class WorkspaceSandbox implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(WorkspaceSandbox.class);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String ADMIN_TOKEN = System.getenv("WORKSPACE_SANDBOX_ADMIN_TOKEN");

  /** A session: its own data, clock and faults. Point your application at {@code baseUrl}, with {@code token}. */
  public record Session(String id, String baseUrl, String token, Server server) {
    /** Sends a request to the service; the body is JSON, or null. */
    public HttpResponse<String> send(String method, String path, String body) {
      return WorkspaceSandbox.send(request(method, baseUrl + path, body).header("Authorization", "Bearer " + token));
    }

    /** Calls the control plane in this session, and returns its JSON. */
    public String control(String method, String path, String body) {
      return server.control(method, path, body, id);
    }
  }

  /** One sandbox for all tests; JUnit closes it after the last one. */
  record Server(Process process, long pid, String url, String token) implements ExtensionContext.Store.CloseableResource {
    static Server start() {
      var npx = System.getProperty("os.name").startsWith("Windows") ? "npx.cmd" : "npx";
      var options = "workspace-sandbox start --port 0 --memory --size small --json".split(" ");
      var command = new ProcessBuilder(npx).redirectError(ProcessBuilder.Redirect.INHERIT);
      command.command().addAll(java.util.List.of(options));
      try {
        var process = command.start();
        var line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        if (line == null) throw new IllegalStateException("The sandbox did not start. Its message is above.");
        return new Server(process, Long.parseLong(find(line, "pid")), find(line, "url"), find(line, "token"));
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }

    String control(String method, String path, String body, String session) {
      var request = request(method, url + "/_sandbox" + path, body);
      if (session != null) request.header("Sandbox-Session", session);
      if (ADMIN_TOKEN != null) request.header("Authorization", "Bearer " + ADMIN_TOKEN);
      var response = WorkspaceSandbox.send(request);
      if (response.statusCode() < 400) return response.body();
      throw new IllegalStateException(method + " " + path + ": " + response.body());
    }

    @Override
    public void close() throws InterruptedException {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
      process.waitFor();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Session.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getStore(NAMESPACE).getOrComputeIfAbsent("session", key -> open(context), Session.class);
  }

  private static Session open(ExtensionContext context) {
    var store = context.getRoot().getStore(NAMESPACE);
    var server = store.getOrComputeIfAbsent("server", key -> Server.start(), Server.class);
    var opened = server.control("POST", "/sessions", "{}", null);
    return new Session(find(opened, "id"), find(opened, "baseUrl"), server.token(), server);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    var session = context.getStore(NAMESPACE).remove("session", Session.class);
    if (session != null) session.control("DELETE", "/sessions/" + session.id(), null);
  }

  private static HttpRequest.Builder request(String method, String url, String body) {
    var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    var request = HttpRequest.newBuilder(URI.create(url)).method(method, publisher);
    return body == null ? request : request.header("Content-Type", "application/json");
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      throw new IllegalStateException(error);
    }
  }

  /** Finds the first value of a name in JSON; Java itself has no parser for it. */
  private static String find(String json, String name) {
    var found = Pattern.compile("\"" + name + "\":\"?([^\",}]+)").matcher(json);
    if (!found.find()) throw new IllegalStateException("The sandbox did not send " + name + ".");
    return found.group(1);
  }
}
